import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { canonicalText, parseCanonical } from "#core/lib/canonical.ts";
import { formOf } from "#core/sources/form.ts";
import { emptyInventory, objectsOf } from "#core/sources/inventory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { type FindEarlier, takeDocuments } from "#core/sources/take-documents.ts";

const OPTIONS = { cluster: "Kubernetes" };

function rule(name: string, host: string) {
  return { value: { apiVersion: "networking.istio.io/v1", kind: "DestinationRule", metadata: { name, namespace: "shop" }, spec: { host } } };
}

function hosts(documents: Parameters<typeof takeDocuments>[1], find?: FindEarlier, carried: readonly SourceObject[] = []) {
  const { inventory, diagnostics } = takeDocuments(emptyInventory(), documents, OPTIONS, find && { find, carried });
  return { hosts: objectsOf(inventory, "DestinationRule").map(({ spec, created }) => [spec.host, created]), refused: diagnostics.length };
}

describe("taking a source's documents", () => {
  const before = takeDocuments(emptyInventory(), [rule("a", "first"), rule("b", "second")], OPTIONS).inventory;
  /** As an edition stores it. */
  const stored = objectsOf(before, "DestinationRule").map((object) => parseCanonical(canonicalText(formOf(object))) as SourceObject);
  const earlier = (key: SourceObject["key"] | { readonly name: string }) => stored.find((object) => object.key.name === key.name);

  it("keeps the good form that a broken object had before this process, with its age", () => {
    const [first, second] = objectsOf(before, "DestinationRule");
    const found = hosts([rule("a", "..broken"), rule("b", "second")], earlier);
    assert.deepEqual(found, {
      hosts: [
        ["first", first?.created],
        ["second", second?.created],
      ],
      refused: 1,
    });
  });

  it("leaves out what is broken and was never good", () => {
    assert.deepEqual(hosts([rule("c", "..broken")], earlier), { hosts: [], refused: 1 });
  });

  it("brings nothing back that is there no more", () => {
    assert.deepEqual(
      hosts([rule("b", "second")], earlier).hosts.map(([host]) => host),
      ["second"],
    );
  });
});
