import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveSecret, type SecretClient } from "#core/model/resolve/gateways/secrets.ts";
import { applyChange, emptyInventory, type Inventory } from "#core/sources/inventory.ts";

const CLIENT: SecretClient = { namespace: "edge", cluster: "Kubernetes", granted: new Set(["kubernetes-gateway://edge/cert"]) };
const A = "YQ==";
const B = "Yg==";

function withSecret(inventory: Inventory, name: string, data: Record<string, string>, namespace = "edge"): Inventory {
  const key = { cluster: "Kubernetes", kind: "Secret", namespace, name } as const;
  const object = {
    key,
    uid: "",
    revision: "",
    created: 0,
    labels: {},
    annotations: {},
    owners: [],
    generateName: "",
    spec: { type: "Opaque", data },
  };
  return applyChange(inventory, { type: "upsert", object });
}

function text(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder().decode(bytes);
}

test("generic keys go before those of type kubernetes.io/tls", () => {
  const inventory = withSecret(emptyInventory(), "cert", { cert: A, key: B, "tls.crt": B, "tls.key": A });
  const content = resolveSecret(inventory, "kubernetes://cert", CLIENT)?.content;
  assert.equal(content?.kind === "certificate" && text(content.chain), "a");
});

test("an empty or missing key is no certificate", () => {
  assert.equal(resolveSecret(withSecret(emptyInventory(), "cert", { cert: A, key: "" }), "kubernetes://cert", CLIENT), undefined);
  assert.equal(resolveSecret(emptyInventory(), "kubernetes://cert", CLIENT), undefined);
});

test("roots stand in an object of their own, else beside the certificate", () => {
  const beside = withSecret(emptyInventory(), "cert", { "ca.crt": A });
  const own = withSecret(beside, "cert-cacert", { cacert: B, crl: A });
  const rootsIn = (inventory: Inventory) => {
    const content = resolveSecret(inventory, "kubernetes://cert-cacert", CLIENT)?.content;
    return content?.kind === "roots" ? [text(content.roots), text(content.revoked)] : undefined;
  };
  assert.deepEqual(rootsIn(beside), ["a", undefined]);
  assert.deepEqual(rootsIn(own), ["b", "a"]);
});

test("secrets of other namespaces are never served, those of Gateways only where they are granted", () => {
  const inventory = withSecret(withSecret(emptyInventory(), "cert", { cert: A, key: B }), "cert", { cert: A, key: B }, "other");
  assert.equal(resolveSecret(inventory, "kubernetes://other/cert", CLIENT), undefined);
  assert.ok(resolveSecret(inventory, "kubernetes://edge/cert", CLIENT));
  assert.ok(resolveSecret(inventory, "kubernetes-gateway://edge/cert", CLIENT));
  assert.equal(resolveSecret(inventory, "kubernetes-gateway://other/cert", CLIENT), undefined);
});
