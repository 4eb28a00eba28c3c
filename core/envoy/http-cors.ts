import { CorsPolicySchema } from "#proto/envoy/extensions/filters/http/cors/v3/cors_pb.js";
import { type AnyMessage, packAny } from "./any.ts";
import { fixedFraction } from "./percent.ts";
import { stringMatcher, type TextPattern } from "./string-matcher.ts";

export interface CorsFields {
  readonly allowOrigins: readonly TextPattern[];
  readonly allowMethods: string;
  readonly allowHeaders: string;
  readonly exposeHeaders: string;
  /** Seconds as text; "" if unset. */
  readonly maxAge: string;
  readonly allowCredentials?: boolean;
  readonly forwardNotMatchingPreflights: boolean;
}

/** Settings of `envoy.filters.http.cors` for one route; the filter always runs. */
export function httpCors(fields: CorsFields): AnyMessage {
  return packAny(CorsPolicySchema, {
    allowOriginStringMatch: fields.allowOrigins.map(stringMatcher),
    allowMethods: fields.allowMethods,
    allowHeaders: fields.allowHeaders,
    exposeHeaders: fields.exposeHeaders,
    maxAge: fields.maxAge,
    ...(fields.allowCredentials === undefined ? {} : { allowCredentials: fields.allowCredentials }),
    filterEnabled: fixedFraction({ numerator: 100, of: "hundred" }),
    forwardNotMatchingPreflights: fields.forwardNotMatchingPreflights,
  });
}
