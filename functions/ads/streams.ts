import type { EditionSource } from "#core/xds/serving.ts";
import type { Protocol } from "#core/xds/session.ts";
import { codesOf } from "../io/errors.ts";
import type { Metrics } from "../io/metrics.ts";
import { type AdsContext, AdsStream, type NodeStatus, type Wire } from "./stream.ts";

/** Streams that one process takes; each may hold a client's whole view alive. */
const MAX_STREAMS = 20_000;

/** Streams that are stepped into a new edition before others get their turn. */
const BATCH = 64;

/** All streams of a process. */
export class Streams {
  readonly #open = new Set<AdsStream>();
  readonly #context: AdsContext;
  readonly #source: EditionSource;
  #queue: AdsStream[] = [];
  #turn: NodeJS.Immediate | undefined;
  #draining = false;

  constructor(context: AdsContext, source: EditionSource, metrics: Metrics) {
    this.#context = context;
    this.#source = source;
    source.onChange(() => this.#refreshAll());
    metrics.gauge("almanac_xds_streams", "Open streams.", () => [
      { labels: { protocol: "sotw" }, value: this.#count("sotw") },
      { labels: { protocol: "delta" }, value: this.#count("delta") },
    ]);
  }

  /** Takes a stream, or refuses it: late refusal would cost both sides more. */
  open(protocol: Protocol, wire: Wire): AdsStream | undefined {
    const refusal = this.#refusal();
    if (refusal !== undefined) {
      wire.end(refusal);
      return undefined;
    }
    const stream = new AdsStream(protocol, wire, this.#context);
    this.#open.add(stream);
    return stream;
  }

  closed(stream: AdsStream): void {
    stream.close();
    this.#open.delete(stream);
  }

  /** Connected nodes that were placed, by id. */
  nodes(): readonly NodeStatus[] {
    return [...this.#open].flatMap((stream) => stream.status ?? []).sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  }

  /** Sends every client away, so that it connects elsewhere. */
  drain(): void {
    this.#draining = true;
    for (const stream of this.#open) stream.end({ code: codesOf("not-ready").grpc, message: "the server is shutting down" });
    this.#open.clear();
  }

  #refusal(): { readonly code: number; readonly message: string } | undefined {
    if (this.#draining) return { code: codesOf("not-ready").grpc, message: "the server is shutting down" };
    if (this.#open.size >= MAX_STREAMS) return { code: codesOf("exhausted").grpc, message: `this server takes ${MAX_STREAMS} streams` };
    const { accepts, trouble } = this.#source.health();
    return accepts ? undefined : { code: codesOf("not-ready").grpc, message: trouble ?? "not ready" };
  }

  /** Newest wins: a stream that did not have its turn since the last change has one turn for all, and those that wait longest come first. */
  #refreshAll(): void {
    const waiting = new Set(this.#queue);
    this.#queue.push(...[...this.#open].filter((stream) => !waiting.has(stream)));
    this.#turn ??= setImmediate(() => this.#refreshSome());
  }

  #refreshSome(): void {
    for (const stream of this.#queue.splice(0, BATCH)) stream.refresh();
    this.#turn = this.#queue.length > 0 ? setImmediate(() => this.#refreshSome()) : undefined;
  }

  #count(protocol: Protocol): number {
    let count = 0;
    for (const stream of this.#open) if (stream.protocol === protocol) count += 1;
    return count;
  }
}
