import assert from "node:assert/strict";
import { test } from "node:test";
import { regexProblem } from "#core/lib/re2.ts";

function fine(...expressions: readonly string[]): void {
  for (const one of expressions) assert.equal(regexProblem(one), undefined, one);
}

function wrong(...expressions: readonly string[]): void {
  for (const one of expressions) assert.notEqual(regexProblem(one), undefined, one);
}

test("what repeats needs something to repeat, once", () => {
  fine("a*", "a*?", "^*", "()*", "(?:)+", "a|b*", "a{2}", "a{,2}", "a{2", "{,2}");
  wrong("*", "{2}", "a|*", "(*)", "(?i)*", "a**", "a*??", "a{2}{3}", "a{2}*");
});

test("counts are bounded, also where they multiply", () => {
  fine("a{1000}", "(a{100}){10}", "(a{100}){0}", "(a*){1000}");
  wrong("a{1001}", "a{2,1}", "(a{100}){11}", "((a{10}){10}){11}");
});

test("groups: names and flags are fine, looking around is not", () => {
  fine("(a)", "(?P<n>a)", "(?<n>a)", "(?i)a", "(?i-s:a)", "(?)", "(?:a)");
  wrong("(a", "a)", "(?=a)", "(?!a)", "(?<=a)", "(?P=n)", "(?P<>a)", "(?<a-b>a)", "(?-)", "(?x)", "(?#c)");
});

test("classes", () => {
  fine("[a]", "[]a]", "[^]a]", "[a-]", "[-a]", "[[:alpha:]]", "[[:^digit:]]", "[\\d\\pL]", "[a&&b]", "[é-ü]");
  wrong("[a", "[z-a]", "[a-\\d]", "[[:foo:]]", "[");
});

test("escapes: RE2's own, and any punctuation; no back references", () => {
  fine("\\d\\w\\S\\b\\A\\z", "\\pN", "\\p{Greek}", "\\p{^Greek}", "\\x41", "\\x{10FFFF}", "\\12", "\\0", "\\.", "\\_", "\\Q*(\\E", "\\Q*");
  wrong("\\1", "\\8", "\\Z", "\\C", "\\u0041", "\\x4", "\\x{}", "\\x{110000}", "\\p{Foo}", "\\é", "\\", "\\p");
});
