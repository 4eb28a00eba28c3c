import type { JsonValue } from "@bufbuild/protobuf";
import type { Answer } from "#core/pipeline/ask.ts";
import { resourceJson } from "../io/api.ts";

/** An answer as `translate` prints it: each resource by name as canonical protobuf JSON; types that hold none are left out. */
export function answerJson(answer: Answer): Readonly<Record<string, Readonly<Record<string, JsonValue>>>> {
  return Object.fromEntries(
    Object.entries(answer).map(([type, resources]) => [
      type,
      Object.fromEntries([...resources].map(([name, { bytes }]) => [name, resourceJson(bytes)])),
    ]),
  );
}
