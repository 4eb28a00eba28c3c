import { SyntaxProblem } from "./syntax-problem.ts";

const POSIX: ReadonlySet<string> = new Set(
  "alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit".split(" ").flatMap((name) => [`[:${name}:]`, `[:^${name}:]`]),
);

/** Where the character class that opens at `at` ends. Throws {@link SyntaxProblem}. */
export function classEnd(text: string, at: number): number {
  let position = text[at + 1] === "^" ? at + 2 : at + 1;
  for (let first = true; first || text[position] !== "]"; first = false) {
    if (position >= text.length) throw new SyntaxProblem(`missing closing ]: ${text.slice(at)}`);
    position = elementEnd(text, position, at);
  }
  return position + 1;
}

/** Where the escape that starts at `at` ends. Throws {@link SyntaxProblem}. */
export function escapeEnd(text: string, at: number): number {
  return setEscapeEnd(text, at) ?? characterEscape(text, at).end;
}

/** One element of a class: a named set, a character, or a range. */
function elementEnd(text: string, at: number, open: number): number {
  if (text.startsWith("[:", at)) {
    const close = text.indexOf(":]", at + 2);
    const name = text.slice(at, close + 2);
    if (close >= 0 && !POSIX.has(name)) throw new SyntaxProblem(`invalid character class range: ${name}`);
    if (close >= 0) return close + 2;
  }
  const set = text[at] === "\\" ? setEscapeEnd(text, at) : undefined;
  if (set !== undefined) return set;
  const low = classCharacter(text, at, open);
  if (text[low.end] !== "-" || low.end + 1 >= text.length || text[low.end + 1] === "]") return low.end;
  const high = classCharacter(text, low.end + 1, open);
  if (high.code < low.code) throw new SyntaxProblem(`invalid character class range: ${text.slice(at, high.end)}`);
  return high.end;
}

interface Character {
  readonly code: number;
  readonly end: number;
}

function classCharacter(text: string, at: number, open: number): Character {
  if (text[at] === "\\") return characterEscape(text, at);
  const code = text.codePointAt(at);
  if (code === undefined) throw new SyntaxProblem(`missing closing ]: ${text.slice(open)}`);
  return { code, end: at + (code > 0xffff ? 2 : 1) };
}

/** `\d` and the like, and Unicode classes (`\pL`, `\p{Greek}`, `\p{^Greek}`); undefined for an escape that stands for one character. */
function setEscapeEnd(text: string, at: number): number | undefined {
  const kind = text[at + 1] ?? "";
  if (kind !== "" && "dDsSwW".includes(kind)) return at + 2;
  if (kind !== "p" && kind !== "P") return undefined;
  const match = /(?:\{\^?([^}]*)\}|(.))/suy;
  match.lastIndex = at + 2;
  const found = match.exec(text);
  const name = found?.[1] ?? found?.[2] ?? "";
  if (found === null || !isUnicodeClass(name)) throw new SyntaxProblem(`invalid character class range: ${text.slice(at, at + 12)}`);
  return match.lastIndex;
}

function isUnicodeClass(name: string): boolean {
  if (name === "Any") return true;
  if (!/^[A-Za-z_]+$/.test(name)) return false;
  return ["gc", "Script"].some((property) => {
    try {
      return new RegExp(`\\p{${property}=${name}}`, "u") !== undefined;
    } catch {
      return false;
    }
  });
}

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

function characterEscape(text: string, at: number): Character {
  const next = text[at + 1];
  if (next === undefined) throw new SyntaxProblem("trailing backslash at end of expression");
  const control = CONTROLS[next];
  if (control !== undefined) return { code: control, end: at + 2 };
  // Octal needs two digits unless it starts with 0: `\1` would be a back reference.
  const numeric = /\\(?:(0[0-7]{0,2}|[1-7][0-7]{1,2})|x([0-9a-fA-F]{2})|x\{([0-9a-fA-F]+)\})/y;
  numeric.lastIndex = at;
  const match = numeric.exec(text);
  if (match !== null) {
    const code = match[1] === undefined ? Number.parseInt(match[2] ?? match[3] ?? "", 16) : Number.parseInt(match[1], 8);
    if (code <= 0x10ffff) return { code, end: numeric.lastIndex };
  }
  if (next > "\x7F" || /[0-9A-Za-z]/.test(next)) throw new SyntaxProblem(`invalid escape sequence: ${text.slice(at, at + 2)}`);
  return { code: next.charCodeAt(0), end: at + 2 };
}
