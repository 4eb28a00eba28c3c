/**
 * What is wrong with a header's value, or undefined. `%` begins a command that Envoy replaces (`%START_TIME(%s)%`), `%%` is a plain one. What the command
 * says is not looked at, only that it ends (istio `header_value_validator.go`, after Envoy's `header_parser.cc`).
 */
export function headerValueProblem(value: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that Envoy refuses.
  if (/[\u0000-\u0008\u000A-\u001F\u007F]/.test(value)) return "the value holds characters that no header may have";
  let state: State = "literal";
  for (const char of value) {
    const after: State | undefined = STEPS[state](char);
    if (after === undefined) return `unexpected "${char}" in a command of "${value}"`;
    state = after;
  }
  return state === "literal" ? undefined : `a "%" that starts no command must be written "%%", and a command must end: "${value}"`;
}

type State = "literal" | "percent" | "name" | "arguments" | "quote" | "text" | "escape" | "more" | "close" | "end";

/** The state after a character; undefined where it can't stand. */
const STEPS: Readonly<Record<State, (char: string) => State | undefined>> = {
  literal: (char) => (char === "%" ? "percent" : "literal"),
  percent: (char) => (char === "%" ? "literal" : STEPS.name(char)),
  name: (char) => (char === "%" ? "literal" : char === "(" ? "arguments" : "name"),
  arguments: (char) => (char === "[" ? "quote" : char === " " ? "arguments" : "text"),
  quote: (char) => (char === '"' ? "text" : char === " " ? "quote" : undefined),
  text: (char) => (char === "\\" ? "escape" : char === ")" ? "end" : char === '"' ? "more" : "text"),
  escape: () => "text",
  more: (char) => (char === "," ? "quote" : char === "]" ? "close" : char === " " ? "more" : undefined),
  close: (char) => (char === ")" ? "end" : char === " " ? "close" : undefined),
  end: (char) => (char === "%" ? "literal" : char === " " ? "end" : undefined),
};
