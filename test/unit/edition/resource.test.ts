import assert from "node:assert/strict";
import { test } from "node:test";
import { storedBytes, storedNeeds } from "#core/edition/entry.ts";
import { makeResource, NO_NEEDS, resourcePieces, writeResource } from "#core/edition/resource.ts";
import { ByteWriter } from "#core/lib/byte-writer.ts";
import { digestOf } from "#core/lib/digest.ts";

const BYTES = Uint8Array.of(1, 2, 3);

test("a resource's digest is that of its stored form, which gives its needs and bytes back", () => {
  const needs = { ...NO_NEEDS, endpoints: ["a", "b"], secrets: ["c"] };
  const writer = new ByteWriter();
  writeResource({ needs, bytes: BYTES }, writer);
  assert.equal(makeResource("clusters", "x", BYTES, needs, []).digest, digestOf(writer.view()));
  const record = writer.take();
  assert.deepEqual(storedNeeds(record, notInPieces), needs);
  assert.deepEqual(storedBytes(record, notInPieces), BYTES);
});

function notInPieces(): never {
  throw new Error("the resource is not in pieces");
}

test("a resource in pieces is stored piece by piece, and a change of one leaves the others", () => {
  const needs = { ...NO_NEEDS, clusters: ["a", "b"] };
  const [head, middle, tail] = [Uint8Array.of(1), Uint8Array.of(2, 3), Uint8Array.of(4)];
  const resource = makeResource("routes", "x", [head, middle, tail], needs, []);
  assert.deepEqual(resource.bytes, Uint8Array.of(1, 2, 3, 4));
  const writer = new ByteWriter();
  writeResource(resource, writer);
  assert.equal(resource.digest, digestOf(writer.view()));
  const pieces = new Map(resourcePieces(resource)?.map(({ digest, bytes }) => [digest, bytes]));
  const read = (digest: string): Uint8Array => pieces.get(digest) ?? notInPieces();
  assert.deepEqual(storedNeeds(writer.view(), read), needs);
  assert.deepEqual(storedBytes(writer.view(), read), resource.bytes);
  const changed = makeResource("routes", "x", [head, Uint8Array.of(9), tail], needs, []);
  assert.notEqual(changed.digest, resource.digest);
  assert.deepEqual(
    resourcePieces(changed)?.map(({ digest }) => pieces.has(digest)),
    [true, true, false, true],
  );
  assert.notEqual(makeResource("routes", "x", [head, middle, tail], NO_NEEDS, []).digest, resource.digest);
});

test("needs are part of the digest, and where a resource came from is not", () => {
  const plain = makeResource("routes", "x", BYTES, NO_NEEDS, []);
  assert.notEqual(makeResource("routes", "x", BYTES, { ...NO_NEEDS, clusters: ["a"] }, []).digest, plain.digest);
  assert.equal(makeResource("routes", "x", BYTES, NO_NEEDS, [{ cluster: "c", kind: "Service", namespace: "n", name: "s" }]).digest, plain.digest);
});
