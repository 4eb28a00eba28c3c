import assert from "node:assert/strict";
import { test } from "node:test";
import { withRivals } from "#core/model/resolve/services/rivals.ts";
import { httpPort, service } from "#test/support/scope.ts";

test("a name that is resolved knows what Services of its namespace and host call its ports, the last one first", () => {
  const at = (name: string) => ({ sources: [{ cluster: "c", kind: "ServiceEntry", namespace: "shop", name }] });
  const kube = service("a.shop", { ports: [httpPort(80, { name: "web" }), httpPort(81, { name: "same" })], ...at("kube") });
  const entry = service("a.shop", { resolution: "dns", ports: [httpPort(80, { name: "mine" }), httpPort(81, { name: "same" })], ...at("entry") });
  const [, ours] = withRivals([kube, entry]);
  assert.deepEqual(ours?.otherPortNames, { 80: ["mine", "web"] });
  assert.deepEqual(withRivals([entry, kube])[0]?.otherPortNames, { 80: ["web", "mine"] });
  assert.equal(withRivals([kube, { ...entry, resolution: "client-side" }])[1]?.otherPortNames, undefined);
  assert.equal(withRivals([{ ...kube, namespace: "media" }, entry])[1]?.otherPortNames, undefined);
});
