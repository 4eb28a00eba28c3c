/** Whether an error is the file system's of the given code. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Whether the system refused something, a full disk or a missing right, as it will: no bug. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

/** What a refusal of the system means; other errors speak for themselves. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return REASONS[(error as NodeJS.ErrnoException).code ?? ""] ?? error.message;
}

/** The same for whoever does not know what it was about. */
export function reasonAt(error: unknown): string {
  const { path } = error as NodeJS.ErrnoException;
  return isSystemError(error) && path !== undefined ? `${path}: ${reasonOf(error)}` : reasonOf(error);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space left on the device",
  EDQUOT: "the disk quota is used up",
  ENOTDIR: "part of the path is a file, not a folder",
  EISDIR: "a folder, where a file is wanted",
  EEXIST: "a file, where a folder is wanted",
  ENOENT: "no such file or folder",
  EMFILE: "too many open files",
  ELOOP: "a link that leads to itself",
};
