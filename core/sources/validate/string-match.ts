import { regexProblem } from "#core/lib/re2.ts";
import type { StringMatch } from "#proto/networking/v1alpha3/virtual_service_pb.js";

/** What is wrong with a match of text: an empty prefix or regular expression, or one that RE2 does not take. */
export function stringMatchProblem(match: StringMatch | undefined): string | undefined {
  return match?.matchType.case === "prefix" && match.matchType.value === "" ? "the prefix must not be empty" : patternProblem(match);
}

/** As {@link stringMatchProblem}, but an empty prefix is fine (Envoy allows it for paths). */
export function patternProblem(match: StringMatch | undefined): string | undefined {
  if (match?.matchType.case !== "regex") return undefined;
  return match.matchType.value === "" ? "the regular expression must not be empty" : regularExpressionProblem(match.matchType.value);
}

const encoder = new TextEncoder();

/** Istio bounds the length, because Envoy bounds the size of the compiled program. */
export function regularExpressionProblem(expression: string): string | undefined {
  if (encoder.encode(expression).length > 1024) return "the regular expression is too long (at most 1024 bytes)";
  const problem = regexProblem(expression);
  return problem === undefined ? undefined : `not a valid RE2 regular expression: ${problem}`;
}
