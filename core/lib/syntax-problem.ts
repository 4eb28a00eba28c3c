/** How a parser of the core leaves its own depths; it never leaves the module that parses. */
export class SyntaxProblem extends Error {}

/** Runs a parser that tells of mistakes by throwing {@link SyntaxProblem}, and gives the mistake as text. */
export function syntaxProblem(parse: () => void): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxProblem) return error.message;
    throw error;
  }
}
