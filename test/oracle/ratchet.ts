// Raises the ratchet to what is equal now; it never falls: node --import tsx test/oracle/ratchet.ts
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { caseNames, expectedAnswers } from "./cases.ts";
import { compare } from "./compare.ts";
import { renderCase } from "./render.ts";

/** For each case the number of resources, over all of its nodes, that are equal to istiod's, and how many there are. */
export type Ratchet = Readonly<Record<string, { readonly equal: number; readonly of: number }>>;

const FILE = join(import.meta.dirname, "ratchet.json");

export function readRatchet(): Ratchet {
  return JSON.parse(readFileSync(FILE, "utf8")) as Ratchet;
}

/** Counts the equal resources of one case, and names the others (`node type name`, sorted); a case that can't be rendered has none. */
export function countCase(name: string): { readonly equal: number; readonly of: number; readonly differing: readonly string[] } {
  const found = renderCase(name);
  const differing = new Set<string>();
  let equal = 0;
  let all = 0;
  for (const [node, expected] of expectedAnswers(name)) {
    const comparison = compare(expected, found.get(node) ?? {});
    equal += comparison.equal;
    all += comparison.all;
    for (const { type, name: resource } of comparison.differences) differing.add(`${node} ${type} ${resource}`);
  }
  return { equal, of: all, differing: [...differing].sort() };
}

if (process.argv[1] === import.meta.filename) {
  const before = readRatchet();
  const after = Object.fromEntries(
    caseNames().map((name) => {
      const now = countCase(name);
      return [name, { equal: Math.max(now.equal, before[name]?.equal ?? 0), of: now.of }];
    }),
  );
  writeFileSync(FILE, `${JSON.stringify(after, undefined, 2)}\n`);
}
