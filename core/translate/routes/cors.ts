import type { AnyMessage } from "#core/envoy/any.ts";
import { httpCors } from "#core/envoy/http-cors.ts";
import type { TextPattern } from "#core/envoy/string-matcher.ts";
import type { CorsPolicy, StringMatch } from "#core/model/virtual-service.ts";

/** The filter whose settings of a route these are. */
export const CORS_FILTER = "envoy.filters.http.cors";

/** Cross-origin rules of a route; preflights that fit no origin are forwarded unless the policy says IGNORE (istio `TranslateCORSPolicy`). */
export function corsSettings(policy: CorsPolicy): AnyMessage {
  return httpCors({
    allowOrigins: policy.allowOrigins.flatMap(patternOf),
    allowMethods: policy.allowMethods.join(","),
    allowHeaders: policy.allowHeaders.join(","),
    exposeHeaders: policy.exposeHeaders.join(","),
    maxAge: policy.maxAge === undefined ? "" : String(policy.maxAge.seconds),
    ...(policy.allowCredentials === undefined ? {} : { allowCredentials: policy.allowCredentials }),
    forwardNotMatchingPreflights: policy.unmatchedPreflights !== "IGNORE",
  });
}

function patternOf(origin: StringMatch): TextPattern[] {
  return origin.kind === "present" ? [] : [origin];
}
