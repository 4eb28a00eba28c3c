import { classEnd, escapeEnd } from "./re2-class.ts";
import { SyntaxProblem, syntaxProblem } from "./syntax-problem.ts";

/**
 * What is wrong with a regular expression, judged by RE2's syntax as Go's `regexp` package reads it (which Istio validates with, and which Envoy runs);
 * undefined if it is fine. JavaScript's own syntax differs both ways: look-around and back references are refused here, `(?i)` and `\pL` are fine.
 */
export function regexProblem(expression: string): string | undefined {
  const state: State = { text: expression, at: 0, groups: [[]], repeatable: [false] };
  return syntaxProblem(() => {
    while (state.at < expression.length) step(state);
    if (state.groups.length > 1) throw new SyntaxProblem("missing closing )");
  });
}

/** Counted repetitions below one part of the expression: what is repeated costs as often as all counts around it multiply to. */
interface Part {
  readonly count: number;
  readonly parts: readonly Part[];
}

interface State {
  readonly text: string;
  at: number;
  /** Parts read so far of each open group, outermost first. */
  readonly groups: Part[][];
  /** For each open group: is there something before the cursor that can be repeated? */
  readonly repeatable: boolean[];
}

const LEAF: Part = { count: 1, parts: [] };

function step(state: State): void {
  const { text, at } = state;
  switch (text[at]) {
    case "(":
      openGroup(state);
      return;
    case ")":
      closeGroup(state);
      return;
    case "|":
      state.at += 1;
      state.repeatable[state.repeatable.length - 1] = false;
      return;
    case "*":
    case "+":
    case "?":
      repeat(state, at + 1, LEAF.count);
      return;
    case "{": {
      const counted = readCount(text, at);
      if (counted === undefined) pushAtom(state, at + 1);
      else repeat(state, counted.end, counted.count);
      return;
    }
    case "[":
      pushAtom(state, classEnd(text, at));
      return;
    case "\\":
      pushEscape(state);
      return;
    default:
      pushAtom(state, at + 1);
  }
}

function pushAtom(state: State, end: number): void {
  state.groups.at(-1)?.push(LEAF);
  state.repeatable[state.repeatable.length - 1] = true;
  state.at = end;
}

function pushEscape(state: State): void {
  const { text, at } = state;
  const next = text[at + 1];
  if (next === "Q") {
    const close = text.indexOf("\\E", at + 2);
    const end = close < 0 ? text.length : close;
    if (end > at + 2) pushAtom(state, end);
    state.at = close < 0 ? end : end + 2;
  } else if (next !== undefined && "AbBz".includes(next)) {
    pushAtom(state, at + 2);
  } else {
    pushAtom(state, escapeEnd(text, at));
  }
}

function openGroup(state: State): void {
  const rest = state.text.slice(state.at);
  if (rest.startsWith("(?P<") || rest.startsWith("(?<")) {
    const name = /^\(\?P?<([A-Za-z0-9_]+)>/.exec(rest);
    if (name === null) throw new SyntaxProblem("invalid named capture");
    enter(state, name[0].length);
  } else if (rest.startsWith("(?")) {
    const flags = /^\(\?[imsU]*(?:-[imsU]+)?([:)])/.exec(rest);
    if (flags === null) throw new SyntaxProblem(`invalid or unsupported group: ${rest.slice(0, 4)}`);
    if (flags[1] === ":") enter(state, flags[0].length);
    else state.at += flags[0].length;
  } else {
    enter(state, 1);
  }
}

function enter(state: State, length: number): void {
  state.groups.push([]);
  state.repeatable.push(false);
  state.at += length;
}

function closeGroup(state: State): void {
  if (state.groups.length === 1) throw new SyntaxProblem("unexpected )");
  const parts = state.groups.pop() ?? [];
  state.repeatable.pop();
  pushAtom(state, state.at + 1);
  state.groups.at(-1)?.splice(-1, 1, { count: 1, parts: parts.filter((part) => part !== LEAF) });
}

const MAX_COUNT = 1000;

function repeat(state: State, end: number, count: number): void {
  const operator = state.text.slice(state.at, end);
  if (state.repeatable.at(-1) !== true) throw new SyntaxProblem(`missing argument to repetition operator: ${operator}`);
  const lazy = state.text[end] === "?" ? end + 1 : end;
  const next = state.text[lazy];
  const stacked = next !== undefined && ("*+?".includes(next) || (next === "{" && readCount(state.text, lazy) !== undefined));
  if (stacked) throw new SyntaxProblem(`invalid nested repetition operator: ${state.text.slice(state.at, lazy + 1)}`);
  state.at = lazy;
  const group = state.groups.at(-1);
  const last = group?.pop() ?? LEAF;
  const part = count === LEAF.count ? last : { count, parts: last === LEAF ? [] : [last] };
  if (count > 1 && !fits(part, MAX_COUNT)) throw new SyntaxProblem(`invalid repeat count: ${operator}`);
  group?.push(part);
}

/** Do nested counts multiply to no more than `limit`? */
function fits({ count, parts }: Part, limit: number): boolean {
  if (count === 0) return true;
  if (count > limit) return false;
  const left = Math.floor(limit / count);
  return parts.every((part) => fits(part, left));
}

/** `{2}`, `{2,}` or `{2,5}`; anything else is plain text. */
function readCount(text: string, at: number): { readonly end: number; readonly count: number } | undefined {
  const pattern = /\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/y;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const low = Number(match[1]);
  const high = match[3] !== undefined ? Number(match[3]) : match[2] !== undefined ? undefined : low;
  if (low > MAX_COUNT || (high ?? 0) > MAX_COUNT || (high !== undefined && low > high)) throw new SyntaxProblem(`invalid repeat count: ${match[0]}`);
  return { end: pattern.lastIndex, count: high ?? Math.max(low, 1) };
}
