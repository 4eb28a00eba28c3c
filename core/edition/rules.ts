import { memoize } from "#core/lib/memo.ts";
import { emptyTrie, lookUp, visit } from "#core/lib/trie.ts";
import type { Rules, ScopeReads } from "#core/node/rules.ts";
import { type Document, type Documents, makeDocument } from "./document.ts";
import { changeTree } from "./tree.ts";

/** Fields that are maps: each of their entries is a document of its own, so that a change of one touches no other. */
const MAPS = ["sidecars", "clientSelectors", "serviceSelectors", "policySelectors", "scopeReads"] as const satisfies readonly (keyof Rules)[];

/** Placement rules as an edition stores them: a document for each field, and `field/key` for each entry of a map. */
export function rulesTree(rules: Rules, previous?: Documents): Documents {
  const known = previous ?? emptyTrie<Document>();
  const changes = new Map<string, Document | undefined>();
  visit(known, (name) => changes.set(name, undefined));
  const set = (name: string, value: unknown): void => {
    const held = lookUp(known, name);
    if (held !== undefined && held.value === value) changes.delete(name);
    else changes.set(name, makeDocument(value));
  };
  for (const [field, value] of Object.entries(rules)) {
    if (!isMap(field)) set(field, value);
    else for (const [key, entry] of Object.entries(value as object)) set(`${field}/${key}`, entry);
  }
  return changeTree(known, changes);
}

/** The inverse of {@link rulesTree}; the same object for the same tree, and the same parts in it where documents are the same. */
export const storedRules = memoize((tree: Documents): Rules => {
  const rules: Record<string, unknown> = {};
  for (const field of MAPS) rules[field] = {};
  visit(tree, (name, document) => {
    const slash = name.indexOf("/");
    if (slash < 0) rules[name] = document.value;
    else (rules[name.slice(0, slash)] as Record<string, unknown>)[name.slice(slash + 1)] = document.value;
  });
  return rules as unknown as Rules;
});

/** What one scope reads, as stored. */
export function scopeReadsIn(tree: Documents, scopeKey: string): ScopeReads | undefined {
  return lookUp(tree, `scopeReads/${scopeKey}`)?.value as ScopeReads | undefined;
}

function isMap(field: string): boolean {
  return (MAPS as readonly string[]).includes(field);
}
