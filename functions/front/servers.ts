import type { EditionSource, Placer } from "#core/xds/serving.ts";
import { listenGrpc } from "../ads/grpc-server.ts";
import { adsMetrics } from "../ads/metrics.ts";
import { Streams } from "../ads/streams.ts";
import { CannotListen, formatHostPort, type HostPort } from "../io/listen.ts";
import type { Log } from "../io/log.ts";
import { type Metrics, openMetrics } from "../io/metrics.ts";
import { type AppContext, httpApp, metricsApp } from "../rest/app.ts";
import { type Fetch, type HttpServer, listenHttp } from "./http-server.ts";

export interface ServersOptions {
  readonly grpc: HostPort;
  readonly http: HostPort;
  readonly metrics: HostPort | "off";
  /** Nobody asked for this metrics address: if it is taken, serving goes on without. */
  readonly metricsOptional: boolean;
  readonly placeTimeoutMs: number;
  readonly source: EditionSource;
  readonly placer: Placer;
  readonly log: Log;
  /** Where further parts of the process count; made here if there are none. */
  readonly registry?: Metrics;
  /** Takes the lines of standard output that tell where to connect. */
  readonly print: (line: string) => void;
}

/** Everything that listens. */
export interface Servers {
  readonly grpc: HostPort;
  readonly http: HostPort;
  readonly metrics: HostPort | undefined;
  /** Ends streams and answers, and closes what listens. */
  readonly stop: () => Promise<void>;
}

const GRACE_MS = 3_000;

/**
 * Opens the gRPC, HTTP and metrics addresses, prints one line for each, and one more once an edition is served: `ready edition GENERATION`.
 * Throws {@link CannotListen} when an address that was asked for can't be had.
 */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const { source, placer, log, print } = options;
  const registry = options.registry ?? openMetrics();
  countEditions(registry, source);
  const now = (): number => performance.now();
  const streams = new Streams({ placer, log, metrics: adsMetrics(registry), placeTimeoutMs: options.placeTimeoutMs, now }, source, registry);
  const context: AppContext = { placer, source, nodes: () => streams.nodes(), metrics: registry, log };
  const grpc = await listenGrpc(options.grpc, streams, source);
  const http = await orStop([() => grpc.stop(0)], () => listenHttp("--http", options.http, httpApp(context).fetch));
  const metrics = await orStop([() => grpc.stop(0), http.stop], () => listenMetrics(options, metricsApp(context).fetch));
  print(`grpc ${formatHostPort(grpc.address)}`);
  print(`http ${formatHostPort(http.address)}`);
  print(`metrics ${metrics === undefined ? "off" : formatHostPort(metrics.address)}`);
  announceEdition(source, print);
  return {
    grpc: grpc.address,
    http: http.address,
    metrics: metrics?.address,
    stop: async () => {
      await Promise.all([grpc.stop(GRACE_MS), http.stop(), metrics?.stop()]);
    },
  };
}

/** What was opened already is closed when the next can't be. */
async function orStop<T>(others: readonly (() => Promise<void>)[], open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await Promise.all(others.map((stop) => stop()));
    throw error;
  }
}

async function listenMetrics({ metrics, metricsOptional, log }: ServersOptions, fetch: Fetch): Promise<HttpServer | undefined> {
  if (metrics === "off") return undefined;
  try {
    return await listenHttp("--metrics", metrics, fetch);
  } catch (error) {
    if (!metricsOptional || !(error instanceof CannotListen)) throw error;
    log.warn(`no metrics address: ${error.message}; metrics are at /metrics of the HTTP address too`);
    return undefined;
  }
}

function countEditions(registry: Metrics, source: EditionSource): void {
  registry.gauge("almanac_edition_generation", "Generation of the edition served; 0 before the first.", () => source.served()?.generation ?? 0);
  registry.gauge("almanac_edition_pinned", "1 while a rollback or pin is on.", () => (source.served()?.pinned ? 1 : 0));
}

function announceEdition(source: EditionSource, print: (line: string) => void): void {
  let announced = false;
  const announce = (): void => {
    const served = source.served();
    if (announced || served === undefined) return;
    announced = true;
    print(`ready edition ${served.generation}`);
  };
  const forget = source.onChange(() => {
    announce();
    if (announced) forget();
  });
  announce();
  if (announced) forget();
}
