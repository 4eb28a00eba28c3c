import assert from "node:assert/strict";
import { test } from "node:test";
import { objectsOf } from "#core/sources/inventory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { FolderContent } from "#functions/io/folder.ts";
import { type Published, type SourceState, sourceState } from "#functions/watch/source-state.ts";

const BROKEN = { severity: "error", code: "ALM0002", check: "validation", refused: true, field: "", message: "permission denied" } as const;
const KEY = { cluster: "Kubernetes", kind: "", namespace: "", name: "" };

/** A folder with rules for these hosts; what can't be read of it is said. */
function content(hosts: readonly string[], fields: Partial<FolderContent> = {}): FolderContent {
  const documents = hosts.map((host, line) => ({
    value: { apiVersion: "networking.istio.io/v1", kind: "DestinationRule", metadata: { name: host, namespace: "shop" }, spec: { host } },
    origin: { file: "rules.yaml", line },
  }));
  const diagnostics = fields.complete === false ? [{ ...BROKEN, key: KEY }] : [];
  return { documents, diagnostics, listed: true, complete: true, ...fields };
}

const UNLISTED = { listed: false, complete: false };
const PARTLY = { listed: true, complete: false };

function rules(state: SourceState): readonly string[] {
  return objectsOf(state.inventory(), "DestinationRule").map(({ spec }) => spec.host);
}

/** What a run before published. */
function publishedOf(...hosts: readonly string[]): Published & { readonly ages: ReadonlyMap<string, number> } {
  const before = sourceState("Kubernetes");
  before.accept("Kubernetes", content(hosts));
  const objects: readonly SourceObject<"DestinationRule">[] = objectsOf(before.inventory(), "DestinationRule");
  return {
    find: (key) => objects.find((one) => one.key.name === key.name),
    all: () => objects,
    ages: new Map(objects.map(({ spec, created }) => [spec.host, created])),
  };
}

test("nothing is ready before every cluster's folders were listed once", () => {
  const state = sourceState("Kubernetes", ["Kubernetes", "far"]);
  state.accept("Kubernetes", content(["a"]));
  assert.equal(state.ready(), false);
  state.accept("far", content([], UNLISTED));
  assert.equal(state.ready(), false, "a folder that can't be read is not listed");
  assert.equal(state.accept("far", content([])), true, "that all is there now is news");
  assert.equal(state.ready(), true);
});

test("a file that can't be read from the start does not keep the others waiting", () => {
  const state = sourceState("Kubernetes", ["Kubernetes"]);
  state.accept("Kubernetes", content(["a"], PARTLY));
  assert.equal(state.ready(), true);
  assert.deepEqual(rules(state), ["a"]);
  assert.equal(state.diagnostics().length, 1);
});

test("what was published before stays while it can't be told whether it is still there", () => {
  const published = publishedOf("a", "b", "c");
  const state = sourceState("Kubernetes", ["Kubernetes"]);
  state.accept("Kubernetes", content([], UNLISTED), published);
  assert.equal(state.ready(), true, "it stands for what can't be listed");
  assert.deepEqual(rules(state), ["a", "b", "c"]);
  state.accept("Kubernetes", content(["b", "new"], PARTLY), published);
  assert.deepEqual(rules(state), ["a", "b", "c", "new"]);
  assert.equal(objectsOf(state.inventory(), "DestinationRule")[1]?.created, published.ages.get("b"), "with its age");
  state.accept("Kubernetes", content(["a"], PARTLY), published);
  assert.deepEqual(rules(state), ["a", "c"], "what was seen and went is gone");
  state.accept("Kubernetes", content(["a"]), published);
  assert.deepEqual(rules(state), ["a"]);
});

test("a readable folder's deletions are believed at once, all of them too", () => {
  const state = sourceState("Kubernetes", ["Kubernetes"]);
  state.accept("Kubernetes", content(["a", "b"]), publishedOf("a", "b"));
  assert.equal(state.accept("Kubernetes", content([]), publishedOf("a", "b")), true);
  assert.deepEqual(rules(state), []);
});
