import assert from "node:assert/strict";
import { test } from "node:test";
import { readResource } from "#core/edition/entry.ts";
import { makeResource, NO_NEEDS, writeResource } from "#core/edition/resource.ts";
import { ByteWriter } from "#core/lib/byte-writer.ts";
import { digestOf } from "#core/lib/digest.ts";

const BYTES = Uint8Array.of(1, 2, 3);

test("a resource's digest is that of its stored form, which gives its needs and bytes back", () => {
  const needs = { ...NO_NEEDS, endpoints: ["a", "b"], secrets: ["c"] };
  const writer = new ByteWriter();
  writeResource(needs, BYTES, writer);
  assert.equal(makeResource("clusters", "x", BYTES, needs, []).digest, digestOf(writer.view()));
  assert.deepEqual(readResource(writer.take()), { needs, bytes: BYTES });
});

test("needs are part of the digest, and where a resource came from is not", () => {
  const plain = makeResource("routes", "x", BYTES, NO_NEEDS, []);
  assert.notEqual(makeResource("routes", "x", BYTES, { ...NO_NEEDS, clusters: ["a"] }, []).digest, plain.digest);
  assert.equal(makeResource("routes", "x", BYTES, NO_NEEDS, [{ cluster: "c", kind: "Service", namespace: "n", name: "s" }]).digest, plain.digest);
});
