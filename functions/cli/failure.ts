import { isSystemError, reasonAt } from "../io/file-error.ts";

/** A refusal that the user can mend: printed as one line, without a stack. `exitCode` 2 means that input could not be read. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The one place where a command's failure is turned into words and an exit code. */
export function reportFailure(failure: unknown): void {
  if (failure instanceof CommandFailure) {
    process.stderr.write(`almanac: ${failure.message}\n`);
    process.exitCode = failure.exitCode;
    return;
  }
  if (isSystemError(failure)) {
    process.stderr.write(`almanac: ${reasonAt(failure)}\n`);
    process.exitCode = 1;
    return;
  }
  process.stderr.write(`almanac: unexpected failure: ${failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)}\n`);
  process.exitCode = 1;
}
