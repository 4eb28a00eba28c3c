import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HeaderMatcherSchema, QueryParameterMatcherSchema, RouteMatchSchema } from "#proto/envoy/config/route/v3/route_components_pb.js";
import type { MetadataMatcherSchema } from "#proto/envoy/type/matcher/v3/metadata_pb.js";
import { regexMatcher, stringMatcher, type TextPattern } from "./string-matcher.ts";

/** Which requests a route takes. */
export interface RouteMatchFields {
  readonly path: { readonly kind: "prefix" | "path" | "safeRegex" | "pathSeparatedPrefix"; readonly value: string };
  readonly caseSensitive?: boolean;
  readonly headers: readonly HeaderCondition[];
  readonly query: readonly Condition[];
  readonly metadata: readonly ListMetadataCondition[];
}

/** `pattern` absent: it is enough that the thing is there. */
export interface Condition {
  readonly name: string;
  readonly pattern?: TextPattern;
}

export interface HeaderCondition extends Condition {
  readonly invert: boolean;
  readonly treatMissingAsEmpty: boolean;
}

/** A text or a list of texts in a filter's dynamic metadata; `pattern` absent: an empty matcher, which Envoy refuses. */
export interface ListMetadataCondition {
  readonly filter: string;
  readonly path: readonly string[];
  readonly pattern?: TextPattern;
  readonly invert: boolean;
}

export function routeMatch(fields: RouteMatchFields): MessageInitShape<typeof RouteMatchSchema> {
  const { path } = fields;
  return {
    pathSpecifier: path.kind === "safeRegex" ? { case: path.kind, value: regexMatcher(path.value) } : { case: path.kind, value: path.value },
    ...(fields.caseSensitive === undefined ? {} : { caseSensitive: fields.caseSensitive }),
    headers: fields.headers.map(headerMatcher),
    queryParameters: fields.query.map(queryMatcher),
    dynamicMetadata: fields.metadata.map(metadataMatcher),
  };
}

function headerMatcher(condition: HeaderCondition): MessageInitShape<typeof HeaderMatcherSchema> {
  const { name, pattern } = condition;
  return {
    name,
    headerMatchSpecifier: pattern === undefined ? { case: "presentMatch", value: true } : { case: "stringMatch", value: stringMatcher(pattern) },
    invertMatch: condition.invert,
    treatMissingHeaderAsEmpty: condition.treatMissingAsEmpty,
  };
}

function queryMatcher({ name, pattern }: Condition): MessageInitShape<typeof QueryParameterMatcherSchema> {
  return {
    name,
    queryParameterMatchSpecifier:
      pattern === undefined ? { case: "presentMatch", value: true } : { case: "stringMatch", value: stringMatcher(pattern) },
  };
}

function metadataMatcher(condition: ListMetadataCondition): MessageInitShape<typeof MetadataMatcherSchema> {
  const text = { matchPattern: { case: "stringMatch", value: condition.pattern === undefined ? {} : stringMatcher(condition.pattern) } } as const;
  const list = { matchPattern: { case: "listMatch", value: { matchPattern: { case: "oneOf", value: text } } } } as const;
  return {
    filter: condition.filter,
    path: condition.path.map((key) => ({ segment: { case: "key", value: key } })),
    value: { matchPattern: { case: "orMatch", value: { valueMatchers: [list, text] } } },
    invert: condition.invert,
  };
}
