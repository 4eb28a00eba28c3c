import { celTokens, type Token } from "./cel-tokens.ts";
import { SyntaxProblem, syntaxProblem } from "./syntax-problem.ts";

/**
 * What is wrong with the syntax of a Common Expression Language expression (cel-spec, "Syntax", with the standard macros); undefined if it is fine.
 * Names and types are not looked at.
 */
export function celProblem(source: string): string | undefined {
  return syntaxProblem(() => {
    const cursor: Cursor = { tokens: celTokens(source), at: 0 };
    expression(cursor);
    if (peek(cursor).type !== "end") throw unexpected(cursor);
  });
}

interface Cursor {
  readonly tokens: readonly Token[];
  at: number;
}

/** What an expression is made of, as far as macros look at their arguments. */
type Shape = "name" | "selection" | "other";

const RESERVED: ReadonlySet<string> = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(" "),
);
/** Macros over a list, by number of arguments: the first one names the variable. */
const COMPREHENSIONS: Readonly<Record<string, readonly number[]>> = { all: [2], exists: [2], exists_one: [2], map: [2, 3], filter: [2] };

function expression(cursor: Cursor): Shape {
  const shape = binary(cursor, 0);
  if (!accept(cursor, "?")) return shape;
  binary(cursor, 0);
  expect(cursor, ":");
  expression(cursor);
  return "other";
}

/** From loosest to tightest; all of them chain. */
const LEVELS: readonly ReadonlySet<string>[] = [
  new Set(["||"]),
  new Set(["&&"]),
  new Set(["<", "<=", ">=", ">", "==", "!=", "in"]),
  new Set(["+", "-"]),
  new Set(["*", "/", "%"]),
];

function binary(cursor: Cursor, level: number): Shape {
  const operators = LEVELS[level];
  if (operators === undefined) return unary(cursor);
  let shape = binary(cursor, level + 1);
  while (peek(cursor).type !== "literal" && operators.has(peek(cursor).text)) {
    cursor.at += 1;
    binary(cursor, level + 1);
    shape = "other";
  }
  return shape;
}

function unary(cursor: Cursor): Shape {
  const sign = ["!", "-"].find((one) => peek(cursor).type === "operator" && peek(cursor).text === one);
  if (sign === undefined) return member(cursor);
  while (accept(cursor, sign));
  // Signs do not mix, but a number may bring its own.
  const negative = sign === "!" && accept(cursor, "-");
  if (negative && !isNumber(peek(cursor))) throw unexpected(cursor);
  if (sign === "!" && !negative) checkRange(peek(cursor));
  member(cursor, true);
  return "other";
}

function isNumber({ type, text }: Token): boolean {
  return type === "literal" && /^[0-9.]/.test(text);
}

/** The smallest integer has no positive counterpart. */
function checkRange({ type, text }: Token): void {
  if (type === "literal" && /^(?:0x[0-9a-fA-F]+|\d+)$/.test(text) && BigInt(text) === 2n ** 63n) throw new SyntaxProblem(`${text} is out of range`);
}

function member(cursor: Cursor, negated = false): Shape {
  if (!negated) checkRange(peek(cursor));
  let shape = primary(cursor);
  for (;;) {
    if (accept(cursor, ".")) {
      const name = identifier(cursor);
      shape = peek(cursor).text === "(" ? call(cursor, name, true) : "selection";
    } else if (accept(cursor, "[")) {
      expression(cursor);
      expect(cursor, "]");
      shape = "other";
    } else if (shape !== "other" && accept(cursor, "{")) {
      list(cursor, "}", () => field(cursor));
      shape = "other";
    } else {
      return shape;
    }
  }
}

function primary(cursor: Cursor): Shape {
  if (accept(cursor, "(")) {
    const shape = expression(cursor);
    expect(cursor, ")");
    return shape;
  }
  if (accept(cursor, "[")) return list(cursor, "]", () => expression(cursor));
  if (accept(cursor, "{")) return list(cursor, "}", () => entry(cursor));
  if (peek(cursor).type === "literal") {
    cursor.at += 1;
    return "other";
  }
  accept(cursor, ".");
  const { text } = peek(cursor);
  const name = identifier(cursor);
  if (RESERVED.has(text)) throw new SyntaxProblem(`${text} is a reserved word`);
  return peek(cursor).text === "(" ? call(cursor, name, false) : "name";
}

function call(cursor: Cursor, name: string, onTarget: boolean): Shape {
  expect(cursor, "(");
  const shapes: Shape[] = [];
  if (!accept(cursor, ")")) {
    do shapes.push(expression(cursor));
    while (accept(cursor, ","));
    expect(cursor, ")");
  }
  if (!onTarget && name === "has" && shapes.length === 1 && shapes[0] !== "selection") throw new SyntaxProblem("has() wants a field: has(a.b)");
  const macro = onTarget && Object.hasOwn(COMPREHENSIONS, name) && COMPREHENSIONS[name]?.includes(shapes.length) === true;
  if (macro && shapes[0] !== "name") throw new SyntaxProblem(`${name}() wants a variable's name first`);
  return "other";
}

/** Items and a closing sign; a comma may end the list. */
function list(cursor: Cursor, close: string, item: () => void): Shape {
  if (accept(cursor, ",")) {
    expect(cursor, close);
    return "other";
  }
  while (!accept(cursor, close)) {
    item();
    if (accept(cursor, ",")) continue;
    expect(cursor, close);
    break;
  }
  return "other";
}

function entry(cursor: Cursor): void {
  expression(cursor);
  expect(cursor, ":");
  expression(cursor);
}

function field(cursor: Cursor): void {
  identifier(cursor);
  expect(cursor, ":");
  expression(cursor);
}

function identifier(cursor: Cursor): string {
  const token = peek(cursor);
  if (token.type !== "identifier") throw unexpected(cursor);
  cursor.at += 1;
  return token.text;
}

function peek(cursor: Cursor): Token {
  return cursor.tokens[cursor.at] ?? { type: "end", text: "" };
}

function accept(cursor: Cursor, operator: string): boolean {
  const token = peek(cursor);
  if (token.type !== "operator" || token.text !== operator) return false;
  cursor.at += 1;
  return true;
}

function expect(cursor: Cursor, operator: string): void {
  if (!accept(cursor, operator)) throw unexpected(cursor);
}

function unexpected(cursor: Cursor): SyntaxProblem {
  const { type, text } = peek(cursor);
  return new SyntaxProblem(type === "end" ? "the expression ends too early" : `unexpected ${JSON.stringify(text)}`);
}
