import { type ChildProcess, spawn } from "node:child_process";

export interface ChildOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Ended after so long at the latest, whatever the test does. */
  readonly lifetimeMs?: number;
}

/** A program that a test runs. It never outlives the test's process. */
export interface Child {
  readonly pid: number;
  /** All that it wrote so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly running: () => boolean;
  /** Its exit code; -1 when a signal ended it. */
  readonly exited: Promise<number>;
  /** Asks it to end, and ends it after `graceMs`. Returns its exit code. */
  readonly stop: (signal?: NodeJS.Signals, graceMs?: number) => Promise<number>;
}

const alive = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of alive) child.kill("SIGKILL");
});

/** Starts a program; no shell, no standard input. */
export function startChild(program: string, args: readonly string[], { cwd, env, lifetimeMs = 120_000 }: ChildOptions = {}): Child {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  alive.add(child);
  const out: string[] = [];
  const err: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text));
  const end = setTimeout(() => child.kill("SIGKILL"), lifetimeMs);
  end.unref();

  const exited = new Promise<number>((resolve) => {
    const done = (code: number) => {
      alive.delete(child);
      clearTimeout(end);
      resolve(code);
    };
    child.once("error", (error) => {
      err.push(error.message);
      done(127);
    });
    child.once("close", (code) => done(code ?? -1));
  });

  const stop = async (signal: NodeJS.Signals = "SIGTERM", graceMs = 5_000) => {
    child.kill(signal);
    const force = setTimeout(() => child.kill("SIGKILL"), graceMs);
    const code = await exited;
    clearTimeout(force);
    return code;
  };
  return { pid: child.pid ?? 0, stdout: () => out.join(""), stderr: () => err.join(""), running: () => alive.has(child), exited, stop };
}
