import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalText, parseCanonical } from "#core/lib/canonical.ts";

test("equal values have one text, whatever the order of their keys", () => {
  assert.equal(canonicalText({ b: [1, undefined], a: { d: "x", c: undefined } }), '{"a":{"d":"x"},"b":[1,null]}');
  assert.equal(canonicalText({ a: 1, b: 2 }), canonicalText({ b: 2, a: 1 }));
});

test("the text of a value does not tell whether its keys were in order", () => {
  const text = (json: unknown): string => canonicalText({ z: json, a: 1 }).slice('{"a":1,"z":'.length, -1);
  fc.assert(fc.property(fc.jsonValue(), (json) => assert.equal(canonicalText(json), text(json))));
});

test("JSON, bytes and bigints come back", () => {
  const value = { list: [1, "two", null, true], bytes: Uint8Array.of(0, 255), big: 12345678901234567890n };
  assert.deepEqual(parseCanonical(canonicalText(value)), value);
  fc.assert(fc.property(fc.jsonValue(), (json) => assert.deepEqual(parseCanonical(canonicalText(json)), JSON.parse(JSON.stringify(json)))));
});

test("keys that look like marks are only keys", () => {
  const value = { "@int": "no number", "@bytes": {}, "@@int": 1, plain: [{ "@": 2 }] };
  assert.deepEqual(parseCanonical(canonicalText(value)), value);
});
