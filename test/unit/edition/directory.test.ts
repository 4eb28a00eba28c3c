import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { directoryTree, storedDirectory } from "#core/edition/directory.ts";
import { rulesTree, storedRules } from "#core/edition/rules.ts";
import { treeDigest } from "#core/edition/tree.ts";
import type { DirectoryEntry } from "#core/node/directory.ts";
import { NO_RULES } from "#test/support/rules.ts";
import { directoryOf } from "./sample.ts";

function pod(name: string, labels = { app: name }): DirectoryEntry {
  const locality = { region: "", zone: "", subzone: "" };
  const where = { cluster: "c", namespace: "shop", network: "", locality, nodeName: "" };
  return { ...where, kind: "pod", name, addresses: [], labels, serviceAccount: "", workloadName: name, containerPorts: [], sliceTargets: [] };
}

function address(name: string): DirectoryEntry {
  return { kind: "address", cluster: "c", namespace: "", name, addresses: [name], workloadEntries: [], claims: [] };
}

describe("directory", () => {
  test("is found in an edition as it was put in: Pods by name, the rest by address", () => {
    const stored = storedDirectory(directoryTree(directoryOf([pod("a"), pod("b"), address("10.0.0.2")])));
    assert.deepEqual(stored.byName("c", "a", "shop"), pod("a"));
    assert.deepEqual(stored.byAddress("c", "10.0.0.2"), address("10.0.0.2"));
    assert.equal(stored.byAddress("d", "10.0.0.2"), undefined);
    assert.equal(stored.entries.length, 3);
  });

  test("follows an entry that changes", () => {
    const [a, b, c] = [pod("a"), pod("b"), pod("a", { app: "c" })];
    const moved = directoryTree(directoryOf([b, c]), directoryTree(directoryOf([a, b])));
    assert.deepEqual(storedDirectory(moved).byName("c", "a", "shop"), c);
    assert.equal(treeDigest(moved), treeDigest(directoryTree(directoryOf([b, c]))));
  });
});

describe("rules", () => {
  const rules = { ...NO_RULES, sidecars: { shop: [{ id: "shop/a" }] }, sourceSelectors: [{ app: "a" }], clientSelectors: { "a/b": [{ x: "y" }] } };

  test("come back from an edition", () => {
    assert.deepEqual(storedRules(rulesTree(rules)), rules);
  });

  test("keep their tree when they are the same, and lose what is no longer there", () => {
    const tree = rulesTree(rules);
    assert.equal(rulesTree(structuredClone(rules), tree), tree);
    assert.deepEqual(storedRules(rulesTree(NO_RULES, tree)), NO_RULES);
  });
});
