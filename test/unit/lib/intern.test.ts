import assert from "node:assert/strict";
import { test } from "node:test";
import { interner, internerWithin } from "#core/lib/intern.ts";

test("equal values share one identity, different ones do not", () => {
  const intern = interner<{ readonly port: number }>();
  const first = intern({ port: 80 });
  assert.equal(intern({ port: 80 }), first);
  assert.notEqual(intern({ port: 81 }), first);
});

test("equal values of one part and name share one identity; the part counts by its own", () => {
  interface Value {
    readonly part: object;
    readonly name: string;
    readonly sizes: readonly number[];
  }
  const intern = internerWithin<Value>({ part: ({ part }) => part, name: ({ name }) => name });
  const [here, there] = [{}, {}];
  const first = intern({ part: here, name: "a", sizes: [1, 2] });
  assert.equal(intern({ part: here, name: "a", sizes: [1, 2] }), first);
  assert.notEqual(intern({ part: here, name: "a", sizes: [1] }), first);
  assert.notEqual(intern({ part: here, name: "b", sizes: [1, 2] }), first);
  assert.notEqual(intern({ part: there, name: "a", sizes: [1, 2] }), first);
});
