import assert from "node:assert/strict";
import { test } from "node:test";
import { celProblem } from "#core/lib/cel.ts";

function fine(...expressions: readonly string[]): void {
  for (const one of expressions) assert.equal(celProblem(one), undefined, one);
}

function wrong(...expressions: readonly string[]): void {
  for (const one of expressions) assert.notEqual(celProblem(one), undefined, one);
}

test("operators chain, conditions nest to the right", () => {
  fine("response.code >= 400 && !(a.b == 'x')", "a ? b : c ? d : e", "a < b < c", "a in [1, 2]", "1 + 2 * -3 % 4");
  wrong("a =", "a ==", "a ? b", "a && ", "a b", "(a", "()", "!-a", "a = b");
});

test("literals", () => {
  fine("1", "1u", "0x1F", "1.5e3", ".5", "null", "true", "'a'", 'r"\\d"', 'b"a"', '"""a"b"""', "'\\u0041'", "-9223372036854775808");
  wrong("0x", "1.", "'a", '"\\d"', "9223372036854775808", "99999999999999999999u", '"a" "b"');
});

test("members, calls, lists, maps and messages", () => {
  fine("a.b.c[0]", ".a.b", "f()", "a.f(b, c)", "[1,]", "[,]", "{'a': 1}", "a.B{c: 1}", "{}");
  wrong("f(,)", "f(a)(b)", "a..b", "{a}", "a{1: 2}", "a.?b");
});

test("reserved words are no names, but may be fields", () => {
  wrong("for", "while == 1");
  fine("a.for");
});

test("macros look at their first argument", () => {
  fine("has(a.b)", "a.exists(x, x == 1)", "a.map(x, y, z)", "a.all(y)");
  wrong("has(a)", "a.exists(1, true)", "a.filter(b.c, true)");
});
