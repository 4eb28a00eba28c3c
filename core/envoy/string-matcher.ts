import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RegexMatcherSchema } from "#proto/envoy/type/matcher/v3/regex_pb.js";
import type { StringMatcherSchema } from "#proto/envoy/type/matcher/v3/string_pb.js";

/** How a text is compared. */
export interface TextPattern {
  readonly kind: "exact" | "prefix" | "suffix" | "regex";
  readonly value: string;
}

export function stringMatcher(pattern: TextPattern): MessageInitShape<typeof StringMatcherSchema> {
  if (pattern.kind === "regex") return { matchPattern: { case: "safeRegex", value: regexMatcher(pattern.value) } };
  return { matchPattern: { case: pattern.kind, value: pattern.value } };
}

/** Envoy's regular expressions are RE2 by default. */
export function regexMatcher(regex: string): MessageInitShape<typeof RegexMatcherSchema> {
  return { regex };
}
