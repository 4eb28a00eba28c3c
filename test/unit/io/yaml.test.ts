import assert from "node:assert/strict";
import { test } from "node:test";
import { parseYaml } from "#functions/io/yaml.ts";

function one(text: string): unknown {
  const { documents, problems } = parseYaml(text);
  assert.deepEqual(problems, []);
  return documents[0]?.value;
}

test("bare y, n, on, off, yes and no are booleans, quoted ones are text", () => {
  assert.deepEqual(one("{a: y, b: n, c: on, d: OFF, e: Yes, f: no, g: 'y', h: \"no\", i: yess}"), {
    a: true,
    b: false,
    c: true,
    d: false,
    e: true,
    f: false,
    g: "y",
    h: "no",
    i: "yess",
  });
});

test("numbers are read as go-yaml does: octal, hexadecimal, binary, underscores; times and base 60 stay text", () => {
  assert.deepEqual(one("[010, 0x1F, 0b11, 1_000, -0o17, 1.5, .5, 1e3, 1:30, 2026-01-01T00:00:00Z, 1.2.3]"), [
    8,
    31,
    3,
    1000,
    -15,
    1.5,
    0.5,
    1000,
    "1:30",
    "2026-01-01T00:00:00Z",
    "1.2.3",
  ]);
});

test("keys of other types become text, a key given twice has its last value, << merges", () => {
  assert.deepEqual(one("{1: a, y: b, c: 1, c: 2}"), { 1: "a", true: "b", c: 2 });
  assert.deepEqual(one("a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}"), { a: { p: 1, q: 2 }, b: { p: 1, q: 3 } });
});

test("each document of a file has the line at which its content starts", () => {
  const { documents } = parseYaml("# comment\nkind: A\n---\n\n# comment\nkind: B\n--- # c\nkind: C\n...\n---\n---\n{}\n");
  assert.deepEqual(
    documents.map(({ line, value }) => [line, value]),
    [
      [2, { kind: "A" }],
      [6, { kind: "B" }],
      [8, { kind: "C" }],
      [12, {}],
    ],
  );
});

test("a broken document is a problem with its line, its neighbours are read", () => {
  const { documents, problems } = parseYaml("kind: A\n---\nkind: B\nbroken: ]\n---\nkind: C\n");
  assert.deepEqual(
    documents.map(({ value }) => value),
    [{ kind: "A" }, { kind: "C" }],
  );
  assert.equal(problems.length, 1);
  assert.equal(problems[0]?.line, 4);
  assert.doesNotMatch(problems[0]?.message ?? "", /line|column|\n/, "the only line told is the file's");
});

test("three dashes within a block of text are part of it", () => {
  assert.deepEqual(one("a: |\n  x\n  ---\n  y\nb: 1\n"), { a: "x\n---\ny\n", b: 1 });
});

test("JSON is read, pretty or not, and so is a file with a byte order mark and carriage returns", () => {
  assert.deepEqual(one('\n{\n\t"a": "x\\/y",\n\t"b": [1, null]\n}\n'), { a: "x/y", b: [1, null] });
  assert.equal(parseYaml('\n{"a": 1}\n').documents[0]?.line, 2);
  assert.deepEqual(one("\uFEFFa: 1\r\nb: two\r\n"), { a: 1, b: "two" });
});

test("the items of a list of objects have their own lines", () => {
  const { documents } = parseYaml("apiVersion: v1\nkind: List\nitems:\n- kind: A\n- kind: B\n  x: 1\n");
  assert.deepEqual(
    documents.map(({ line, value }) => [line, value]),
    [
      [4, { apiVersion: "v1", kind: "List", items: [{ kind: "A" }] }],
      [5, { apiVersion: "v1", kind: "List", items: [{ kind: "B", x: 1 }] }],
    ],
  );
});

test("nothing throws: unknown aliases, bombs of aliases and garbage are problems", () => {
  const bomb = [
    "a: &a [x,x,x,x,x,x,x,x,x,x]",
    ..."bcdefg".split("").map((c, i) => `${c}: &${c} [${Array(10).fill(`*${"abcdefg"[i]}`).join(",")}]`),
  ].join("\n");
  for (const text of ["a: *b", bomb, "\t- x", "a: b: c", "{", "'", "%YAML 3\n---\na", "!!binary x", "? \n", "\u0000"]) {
    assert.doesNotThrow(() => parseYaml(text), text.slice(0, 20));
  }
  assert.equal(parseYaml(bomb).problems.length, 1);
});

test("lines may end as Windows ends them", () => {
  const { documents, problems } = parseYaml("a: 1\r\nb: {c: d}\r\n---\r\ne: |\r\n  f\r\n  g\r\n");
  assert.deepEqual(problems, []);
  assert.deepEqual(
    documents.map(({ value, line }) => [value, line]),
    [
      [{ a: 1, b: { c: "d" } }, 1],
      [{ e: "f\ng\n" }, 4],
    ],
  );
});

test("within brackets, braces and quotes indentation has no meaning", () => {
  const read = (text: string): unknown => {
    const { documents, problems } = parseYaml(text);
    assert.deepEqual(problems, [], text);
    return documents[0]?.value;
  };
  assert.deepEqual(read("a:\n  b: [{\n    c: d\n  }]\n  e: f\n"), { a: { b: [{ c: "d" }], e: "f" } });
  assert.deepEqual(read("a:\n- {b: c,\nd: [1,\n2]}\n"), { a: [{ b: "c", d: [1, 2] }] });
  assert.deepEqual(read("a:\n  b: \"x\n  # y\"\n  c: 'it''s\n\n  z'\n"), { a: { b: "x # y", c: "it's\nz" } });
  assert.deepEqual(read('a:\n  b: | # [\n    {\n    "\n  c: [ # {\n  d\n  ]\n'), { a: { b: '{\n"\n', c: ["d"] } });
  assert.deepEqual(read("a: it's [x\nb: {c: don't,\nd: e}\n"), { a: "it's [x", b: { c: "don't", d: "e" } });
});

test("a dash alone within brackets is text", () => {
  assert.deepEqual(one("a: [-, b, -,{c: -}, [-]]\nd: {-}\ne: [x-\"y, -,]\nf: [it's, '-]', -]"), {
    a: ["-", "b", "-", { c: "-" }, ["-"]],
    d: { "-": null },
    e: ['x-"y', "-"],
    f: ["it's", "-]", "-"],
  });
  assert.equal(parseYaml("a: [- b]").problems.length, 1);
});

test("<< stands where it is: over keys before it, under keys after it; of a list the first wins, of two the second", () => {
  const text = (merges: string): string => `b: &b {x: 1, s: {z: 2}}\nc: &c {x: 3, w: 4}\nm: ${merges}`;
  const merged = (merges: string): unknown => (one(text(merges)) as { m: unknown }).m;
  assert.deepEqual(merged("{x: 0, <<: *b}"), { x: 1, s: { z: 2 } });
  assert.deepEqual(merged("{x: 0, <<: *b, x: 5, v: 6}"), { x: 5, s: { z: 2 }, v: 6 });
  assert.deepEqual(merged("{w: 0, <<: [*b, *c]}"), { x: 1, s: { z: 2 }, w: 4 });
  assert.deepEqual(merged("{<<: *b, <<: *c}"), { x: 3, s: { z: 2 }, w: 4 });
  assert.deepEqual(merged("{<<: {<<: *b, u: 1}, t: 2}"), { x: 1, s: { z: 2 }, u: 1, t: 2 });
  assert.deepEqual(merged('{"<<": 1}'), { "<<": 1 });
  for (const wrong of ["{<<: 5}", "{<<: [1]}", "{<<: }"]) assert.equal(parseYaml(text(wrong)).problems.length, 1, wrong);
});

test("!!binary is the text that base64 stands for", () => {
  assert.deepEqual(one("a: !!binary aGVsbG8=\nb: !!binary |\n  aGVs\n  bG8=\nc: [!!binary '']"), { a: "hello", b: "hello", c: [""] });
  for (const wrong of ["aGVsbG8", '"aGVs bG8="', "a---"]) assert.equal(parseYaml(`a: !!binary ${wrong}`).problems.length, 1, wrong);
});

test("a stated type is believed where the value looks like one", () => {
  assert.deepEqual(one("[!!str 5, !!int '5', !!float 5, !!bool 'on', !!null '', !!str, !mine x, !!timestamp 2026-01-01]"), [
    "5",
    5,
    5,
    true,
    null,
    "",
    "x",
    "2026-01-01",
  ]);
  assert.deepEqual(one("{a: !!set {b, c}, d: !!omap [e: 1], f: !!map {g: 1}}"), { a: { b: null, c: null }, d: [{ e: 1 }], f: { g: 1 } });
  for (const wrong of ["!!int x", "!!int 1.5", "!!bool 1", "!!null x", "!!float x"]) assert.equal(parseYaml(wrong).problems.length, 1, wrong);
});

test("a key can't be null, a value can", () => {
  assert.deepEqual(one('{"null": ~, a: , "": [null, Null]}'), { null: null, a: null, "": [null, null] });
  for (const wrong of ["null: a", "~: a", ": a", "a: {NULL: b}", "[: a]", "? null"]) assert.equal(parseYaml(wrong).problems.length, 1, wrong);
});

test("numbers that JSON does not have are problems, and what is too large for one is text", () => {
  assert.deepEqual(one("[1e400, -1e400, 1e300]"), ["1e400", "-1e400", 1e300]);
  for (const wrong of [".inf", "-.Inf", ".nan"]) assert.equal(parseYaml(`a: ${wrong}`).problems.length, 1, wrong);
});

test("what is broken stays a problem at the line where it was found", () => {
  assert.deepEqual(
    parseYaml("a: 1\nb: [c\nd: e\n").problems.map(({ line }) => line),
    [3],
  );
});
