import { fileURLToPath } from "node:url";
import { type Child, startChild } from "./child.ts";
import { eventually, GiveUp } from "./eventually.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/almanac.js", import.meta.url));

/** Runs a command of the built command line (`npm test` builds it), without variables that a developer may have set. */
export function almanac(args: readonly string[], env: Readonly<Record<string, string>> = {}): Child {
  return startChild(process.execPath, [PROGRAM, ...args], { env: { ...env, ALMANAC_LOG_FORMAT: "json" } });
}

/** A command that serves, and where. */
export interface Serving {
  readonly process: Child;
  readonly grpc: number;
  readonly http: string;
}

/** Starts `almanac front` or `serve` on free ports (or the gRPC port of one that ended), and waits until it listens. */
export async function startServing(args: readonly string[], grpcPort = 0): Promise<Serving> {
  const child = almanac([...args, "--grpc", `127.0.0.1:${grpcPort}`, "--http", "127.0.0.1:0", "--metrics", "off"]);
  const lines = await eventually(
    "it listens",
    () => {
      if (!child.running()) throw new GiveUp(`it ended: ${child.stderr()}`);
      const printed = child.stdout().split("\n");
      return printed.length > 3 && printed;
    },
    20_000,
  );
  const port = (name: string): number => Number(lines.find((line) => line.startsWith(`${name} `))?.split(":")[1]);
  return { process: child, grpc: port("grpc"), http: `http://127.0.0.1:${port("http")}` };
}
