import { SyntaxProblem } from "./syntax-problem.ts";

/** A token of the Common Expression Language (cel-spec, "Syntax"). */
export interface Token {
  readonly type: "identifier" | "keyword" | "literal" | "operator" | "end";
  readonly text: string;
}

const SKIP = /(?:\s+|\/\/[^\n]*)+/y;
const NUMBER = /(?:0x[0-9a-fA-F]+[uU]?|(?:\d+\.\d+|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+[uU]?)/y;
const WORD = /[_a-zA-Z][_a-zA-Z0-9]*/y;
const OPERATOR = /(?:==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]{}])/y;
const ESCAPE = "\\\\(?:[abfnrtv\"'`?\\\\]|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[xX][0-9a-fA-F]{2}|[0-3][0-7]{2})";
const TEXT = new RegExp(
  [
    `[bB]?[rR](?:"""[^]*?"""|'''[^]*?'''|"[^"\\n\\r]*"|'[^'\\n\\r]*')`,
    `[bB]?"""(?:${ESCAPE}|[^\\\\])*?"""`,
    `[bB]?'''(?:${ESCAPE}|[^\\\\])*?'''`,
    `[bB]?"(?:${ESCAPE}|[^\\\\"\\n\\r])*"`,
    `[bB]?'(?:${ESCAPE}|[^\\\\'\\n\\r])*'`,
  ].join("|"),
  "y",
);

/** Splits an expression; the last token is the end. Throws {@link SyntaxProblem}. */
export function celTokens(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = take(SKIP, source, 0)?.length ?? 0;
  while (at < source.length) {
    const token = readToken(source, at);
    tokens.push(token);
    at += token.text.length;
    at += take(SKIP, source, at)?.length ?? 0;
  }
  return [...tokens, { type: "end", text: "" }];
}

function readToken(source: string, at: number): Token {
  const literal = take(TEXT, source, at);
  if (literal !== undefined) return { type: "literal", text: literal };
  const word = take(WORD, source, at);
  if (word !== undefined) return wordToken(word);
  const number = take(NUMBER, source, at);
  if (number !== undefined) return numberToken(number);
  const operator = take(OPERATOR, source, at);
  if (operator !== undefined) return { type: "operator", text: operator };
  throw new SyntaxProblem(`unexpected ${JSON.stringify(source.slice(at, at + 10))}`);
}

function wordToken(text: string): Token {
  if (text === "true" || text === "false" || text === "null") return { type: "literal", text };
  return { type: text === "in" ? "keyword" : "identifier", text };
}

function numberToken(text: string): Token {
  const whole = /^(?:0x[0-9a-fA-F]+|\d+)[uU]?$/.test(text);
  const limit = /[uU]$/.test(text) ? 2n ** 64n - 1n : 2n ** 63n;
  if (whole && BigInt(text.replace(/[uU]$/, "")) > limit) throw new SyntaxProblem(`${text} is out of range`);
  return { type: "literal", text };
}

function take(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}
