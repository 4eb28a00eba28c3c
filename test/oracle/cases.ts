import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Answers } from "./compare.ts";

/** Where the cases stand: `area/name` below it. */
export const CASES = join(import.meta.dirname, "cases");

/** Names of all cases as `area/name`, sorted; with prefixes, those that start with one of them. */
export function caseNames(prefixes: readonly string[] = []): readonly string[] {
  return readdirSync(CASES, { withFileTypes: true })
    .filter((area) => area.isDirectory())
    .flatMap((area) => readdirSync(join(CASES, area.name)).map((name) => `${area.name}/${name}`))
    .filter((name) => prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix)))
    .sort();
}

/** What istiod answers each node of a case, by the node's name. */
export function expectedAnswers(caseName: string): ReadonlyMap<string, Answers> {
  const folder = join(CASES, caseName, "expected");
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder).filter((file) => file.endsWith(".json") && file !== "validation.json");
  return new Map(files.map((file) => [file.replace(/\.json$/, ""), JSON.parse(readFileSync(join(folder, file), "utf8")) as Answers]));
}
