import assert from "node:assert/strict";
import { test } from "node:test";
import { admit, type SourceDocument } from "#core/sources/admit.ts";

const START = Date.UTC(2026, 0, 1);

function rule(name: string, host = "a", metadata: Readonly<Record<string, unknown>> = {}): SourceDocument {
  const value = { apiVersion: "networking.istio.io/v1", kind: "DestinationRule", metadata: { name, namespace: "shop", ...metadata }, spec: { host } };
  return { value, origin: { file: `${name}.yaml`, line: 1 } };
}

const service: SourceDocument = { value: { apiVersion: "v1", kind: "Service", metadata: { name: "s" } } };
const cluster = "Kubernetes";

function ages(documents: readonly SourceDocument[], hasGood?: (name: string) => boolean): Readonly<Record<string, number>> {
  const { objects } = admit(documents, { cluster, ...(hasGood && { hasGood: (key) => hasGood(key.name) }) });
  return Object.fromEntries(objects.map(({ key, created }) => [key.name, created === 0 ? -1 : (created - START) / 1000]));
}

test("Istio objects without a timestamp count as created a second apart; others are oldest", () => {
  assert.deepEqual(ages([rule("a"), service, rule("b"), rule("c")]), { a: 0, s: -1, b: 1, c: 2 });
});

test("an object with a timestamp keeps it, and takes a place; a refused one takes none", () => {
  const dated = rule("d", "a", { creationTimestamp: "2026-01-01T01:00:00Z" });
  assert.deepEqual(ages([rule("a"), dated, rule("x", "..bad"), rule("b")]), { a: 0, d: 3600, b: 2 });
});

test("a refused object with an earlier good form keeps its place, so that its neighbours keep their ages", () => {
  assert.deepEqual(
    ages([rule("a"), rule("x", "..bad"), rule("b")], (name) => name === "x"),
    { a: 0, b: 2 },
  );
});

test("of several documents for one object the first counts, and the others are told", () => {
  const { objects, diagnostics } = admit([rule("a", "first"), rule("a", "second"), rule("b")], { cluster });
  assert.deepEqual(
    objects.map(({ spec }) => (spec as { host: string }).host),
    ["first", "a"],
  );
  assert.deepEqual(
    diagnostics.map(({ code, refused, file }) => [code, refused, file]),
    [["ALM0001", false, "a.yaml"]],
  );
});

test("refused objects are named, so that whoever has a good form keeps it", () => {
  const { refused, diagnostics } = admit([rule("x", "..bad")], { cluster });
  assert.deepEqual(refused, [{ cluster, kind: "DestinationRule", namespace: "shop", name: "x" }]);
  assert.deepEqual(
    diagnostics.map(({ field, severity, check }) => [field, severity, check]),
    [["spec.host", "error", "validation"]],
  );
});

test("a warning is told, and the object counts", () => {
  const { objects, diagnostics } = admit(
    [rule("a", "a", {}), { value: { ...(rule("w").value as object), spec: { host: "a", workloadSelector: {} } } }],
    { cluster },
  );
  assert.equal(objects.length, 2);
  assert.deepEqual(
    diagnostics.map(({ severity, refused }) => [severity, refused]),
    [["warning", false]],
  );
});

test("a policy with an empty portLevelMtls is refused, and what else is odd about it is told as well", () => {
  const value = (spec: unknown) => ({ value: { apiVersion: "security.istio.io/v1", kind: "PeerAuthentication", metadata: { name: "p" }, spec } });
  const told = (spec: unknown) => admit([value(spec)], { cluster }).diagnostics.map(({ field, refused }) => [field, refused]);
  assert.deepEqual(told({ portLevelMtls: {}, selector: {} }), [
    ["spec.portLevelMtls", true],
    ["spec.selector", false],
  ]);
  assert.deepEqual(told({}), []);
});

test("a document that was not read again gives the same object", () => {
  const documents = [rule("a"), service, rule("b")];
  const [before, after] = [admit(documents, { cluster }), admit([...documents, rule("c")], { cluster })];
  assert.ok(before.objects.every((one, index) => one === after.objects[index]));
});

test("Istio objects of clusters that are not the config cluster are passed over", () => {
  const { objects, diagnostics, refused } = admit([rule("a"), rule("x", "..bad"), service], { cluster: "far", istio: false });
  assert.deepEqual(
    objects.map(({ key }) => key.kind),
    ["Service"],
  );
  assert.deepEqual([diagnostics, refused], [[], []]);
});

test("all faults of a PeerAuthentication are told at once, an empty list of ports among them", () => {
  const policy = (spec: object): SourceDocument => ({
    value: { apiVersion: "security.istio.io/v1", kind: "PeerAuthentication", metadata: { name: "p", namespace: "shop" }, spec },
  });
  const faults = (spec: object) => admit([policy(spec)], { cluster }).diagnostics.map(({ field, severity }) => [field, severity]);
  const empty = ["spec.portLevelMtls", "error"];
  assert.deepEqual(faults({ selector: { matchLabels: { app: "a" } }, portLevelMtls: {} }), [empty]);
  assert.deepEqual(faults({ selector: { matchLabels: { app: "a*" } }, portLevelMtls: {} }), [empty, ["spec.selector.matchLabels.app", "error"]]);
  assert.deepEqual(faults({ selector: {}, port_level_mtls: {} }), [empty, ["spec.selector", "warning"]]);
  assert.deepEqual(faults({ portLevelMtls: null }), []);
});
