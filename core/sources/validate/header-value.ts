/**
 * What is wrong with a header's value, or undefined. `%` begins a command that Envoy replaces (`%START_TIME(%s)%`), `%%` is a plain one. What the command
 * says is not looked at, only that it ends (istio `header_value_validator.go`, after Envoy's `header_parser.cc`).
 */
export function headerValueProblem(value: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that Envoy refuses.
  if (/[\u0000-\u0008\u000A-\u001F\u007F]/.test(value)) return "the value holds characters that no header may have";
  let state = "literal" as State;
  for (let at = 0; at < value.length; at++) {
    const char = value[at] ?? "";
    const next = value[at + 1];
    if (state === "literal" && char === "%") {
      if (next === undefined) return `a "%" that starts nothing must be written "%%"`;
      if (next === "%") at++;
      else state = "name";
    } else if (state === "text" && char === "\\") {
      if (next === undefined) return "a backslash that escapes nothing";
      at++;
    } else if (state !== "literal") {
      const after = STEPS[state](char);
      if (after === undefined) return `unexpected "${char}" in a command`;
      state = after;
    }
  }
  return state === "literal" ? undefined : `a command in "${value}" does not end`;
}

type State = "literal" | "name" | "arguments" | "quote" | "text" | "more" | "close" | "end";

const STEPS: Readonly<Record<Exclude<State, "literal">, (char: string) => State | undefined>> = {
  name: (char) => (char === "%" ? "literal" : char === "(" ? "arguments" : "name"),
  arguments: (char) => (char === "[" ? "quote" : char === " " ? "arguments" : "text"),
  quote: (char) => (char === '"' ? "text" : char === " " ? "quote" : undefined),
  text: (char) => (char === ")" ? "end" : char === '"' ? "more" : "text"),
  more: (char) => (char === "," ? "quote" : char === "]" ? "close" : char === " " ? "more" : undefined),
  close: (char) => (char === ")" ? "end" : char === " " ? "close" : undefined),
  end: (char) => (char === "%" ? "literal" : char === " " ? "end" : undefined),
};
