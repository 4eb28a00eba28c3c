import { type Servers, startServers } from "#functions/front/servers.ts";
import { openLog } from "#functions/io/log.ts";
import type { HandSource } from "./hand-source.ts";

export interface TestServers extends Servers {
  /** What was printed and logged. */
  readonly printed: readonly string[];
  readonly logged: readonly string[];
}

/** Serves hand-made editions in this process, on free ports. */
export async function serveByHand(
  source: HandSource,
  options: { readonly grpcPort?: number; readonly placeTimeoutMs?: number } = {},
): Promise<TestServers> {
  const printed: string[] = [];
  const logged: string[] = [];
  const host = "127.0.0.1";
  const servers = await startServers({
    grpc: { host, port: options.grpcPort ?? 0 },
    http: { host, port: 0 },
    metrics: { host, port: 0 },
    metricsOptional: true,
    placeTimeoutMs: options.placeTimeoutMs ?? 5_000,
    source,
    placer: source,
    log: openLog({ write: (line) => logged.push(line) }),
    print: (line) => printed.push(line),
  });
  return { ...servers, printed, logged };
}
