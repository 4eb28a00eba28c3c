import type { NodeMessage } from "#core/node/message.ts";
import type { DeltaRequest, Input, SotwRequest } from "#core/xds/input.ts";
import type { Answer, Output } from "#core/xds/output.ts";
import type { Placer, Seat, Serving } from "#core/xds/serving.ts";
import { openSession, type Protocol, type Session } from "#core/xds/session.ts";
import { statusOf, type TypeStatus } from "#core/xds/status.ts";
import { step } from "#core/xds/step.ts";
import { describeFailure, ServiceFailure } from "../io/errors.ts";
import type { Log } from "../io/log.ts";
import type { AdsMetrics } from "./metrics.ts";
import { readRequest } from "./requests.ts";
import { answerNonce, CLIENT_LIMIT, writeAnswer } from "./responses.ts";
import { StreamBytes } from "./stream-bytes.ts";

/** One two-way stream, whatever carries it. Nothing is written after `end`. */
export interface Wire {
  readonly peer: string;
  /** `left` is called once these bytes are on their way; never after the stream is gone. */
  readonly write: (message: Uint8Array, left: () => void) => void;
  /** Ends the stream, with a failure or well. */
  readonly end: (failure?: { readonly code: number; readonly message: string }) => void;
}

/** What all streams of a process share. */
export interface AdsContext {
  readonly placer: Placer;
  readonly log: Log;
  readonly metrics: AdsMetrics;
  /** How long a node waits for layers that are not there yet. */
  readonly placeTimeoutMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** What is shown of a connected node. */
export interface NodeStatus {
  readonly id: string;
  readonly peer: string;
  readonly protocol: Protocol;
  readonly dialect: string;
  readonly generation: number;
  /** No layers fit yet. */
  readonly waiting: boolean;
  readonly types: readonly TypeStatus[];
}

/** Requests that may arrive before a node is placed. */
const MAX_EARLY = 1_000;

/** Carries one stream: brings requests, editions and time to its session, and what the session wants to the wire. */
export class AdsStream {
  readonly protocol: Protocol;
  readonly #wire: Wire;
  readonly #context: AdsContext;
  #session: Session | undefined;
  #seat: Seat | undefined;
  #node: NodeMessage | undefined;
  readonly #bytes = new StreamBytes();
  #early: (SotwRequest | DeltaRequest)[] = [];
  #wake: NodeJS.Timeout | undefined;
  #patience: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(protocol: Protocol, wire: Wire, context: AdsContext) {
    this.protocol = protocol;
    this.#wire = wire;
    this.#context = context;
  }

  get status(): NodeStatus | undefined {
    if (this.#node === undefined || this.#seat === undefined || this.#session === undefined) return undefined;
    const { view } = this.#session;
    const types = statusOf(this.#session);
    const { id } = this.#node;
    return {
      id,
      peer: this.#wire.peer,
      protocol: this.protocol,
      dialect: this.#seat.dialect,
      generation: view?.generation ?? 0,
      waiting: view === undefined,
      types,
    };
  }

  /** A message came. */
  receive(bytes: Uint8Array): void {
    if (this.#closed) return;
    this.#guard(() => {
      const { node, request } = decode(this.protocol, bytes);
      if (node !== undefined && !isSame(node, this.#node)) this.#introduce(node);
      else if (this.#node === undefined) throw new ServiceFailure("invalid", "the first request of a stream must carry a node");
      this.#accept(request);
    });
  }

  /** Another edition is served, or layers were added to it. */
  refresh(): void {
    if (!this.#closed) this.#guard(() => this.#look());
  }

  /** The client is gone, or is sent away. Everything that the stream holds is let go. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#wake);
    clearTimeout(this.#patience);
    this.#seat?.leave();
    this.#session = undefined;
    this.#bytes.clear();
    this.#early = [];
  }

  /** Ends the stream from this side. */
  end(failure?: { readonly code: number; readonly message: string }): void {
    if (this.#closed) return;
    this.close();
    this.#wire.end(failure);
  }

  #introduce(node: NodeMessage): void {
    this.#node = node;
    this.#context.placer.place(node).then(
      (placed) => this.#guard(() => this.#seated(node, placed)),
      (error: unknown) => this.#fail(error),
    );
  }

  #seated(node: NodeMessage, placed: Seat | { readonly error: string }): void {
    const stale = this.#closed || node !== this.#node;
    if ("error" in placed) {
      if (!stale) throw new ServiceFailure("invalid", placed.error);
      return;
    }
    if (stale) {
      placed.leave();
      return;
    }
    this.#seat?.leave();
    this.#seat = placed;
    this.#session ??= openSession(this.protocol, { legacyWildcard: placed.dialect !== "grpc" }, this.#context.now());
    const early = this.#early;
    this.#look();
    this.#early = [];
    for (const request of early) this.#accept(request);
  }

  #accept(request: SotwRequest | DeltaRequest): void {
    if (this.#session === undefined) {
      if (this.#early.length >= MAX_EARLY) throw new ServiceFailure("exhausted", "too many requests before the node was placed");
      this.#early.push(request);
      return;
    }
    const now = this.#context.now();
    const known = { ...request, nonce: answerNonce(request.nonce, request.error !== undefined) };
    this.#step("subscribe" in known ? { kind: "delta-request", now, request: known } : { kind: "request", now, request: known });
  }

  /** Takes the newest edition for this node, if there is one for it; an open session keeps what it has. */
  #look(): void {
    const seat = this.#seat;
    if (seat === undefined || this.#session === undefined) return;
    const serving = seat.now();
    if (serving !== undefined) {
      this.#serve(serving);
    } else if (this.#bytes.serving === undefined) {
      this.#patience ??= setTimeout(() => this.#guard(() => this.#giveUpWaiting(seat)), this.#context.placeTimeoutMs);
    }
  }

  #giveUpWaiting(seat: Seat): void {
    if (this.#bytes.serving !== undefined || seat !== this.#seat) return;
    const serving = seat.afterTimeout();
    this.#context.log.warn("no layers fit a node yet", { node: this.#node?.id, served: serving === undefined ? "nothing" : "outbound layers" });
    if (serving !== undefined) this.#serve(serving);
  }

  #serve(serving: Serving): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    const before = this.#bytes.serving;
    if (before?.view.id === serving.view.id) {
      this.#bytes.refresh(serving);
      return;
    }
    this.#bytes.advance(serving, () => this.#brought());
    const recent = before === undefined ? { recent: this.#bytes.recentViews } : {};
    this.#step({ ...this.#inputNow(), kind: "edition", view: serving.view, ...recent });
  }

  /** Only a client that brings something along is worth a look into the past. */
  #brought(): readonly Serving[] {
    const claims = this.#early.some((request) => ("held" in request ? Object.keys(request.held).length > 0 : request.version !== ""));
    return claims ? (this.#seat?.recent() ?? []) : [];
  }

  #inputNow(): { readonly now: number } {
    return { now: this.#context.now() };
  }

  #step(input: Input): void {
    if (this.#closed) return;
    const [session, outputs] = step(this.#current(), input);
    this.#session = session;
    if (input.kind === "edition") this.#bytes.retain(session);
    this.#carryOut(outputs);
  }

  #current(): Session {
    if (this.#session === undefined) throw new Error("the stream has no session");
    return this.#session;
  }

  #carryOut(outputs: readonly Output[]): void {
    for (const output of outputs) {
      if (this.#closed) return;
      switch (output.kind) {
        case "send":
          this.#send(output.answer);
          break;
        case "reject":
          throw new ServiceFailure("invalid", output.message);
        case "wake":
          this.#wakeAt(output.at);
          break;
        case "note":
          this.#context.metrics.note(output.note);
          if (output.note.event === "nack") this.#context.log.warn("a client refused an answer", { node: this.#node?.id, ...output.note });
          if (output.note.event === "hold-expired")
            this.#context.log.warn("sent before what it needs was acknowledged", { node: this.#node?.id, ...output.note });
          break;
      }
    }
  }

  #send(answer: Answer): void {
    const parts = writeAnswer(this.protocol, answer, this.#bytes.bytesOf);
    let left = parts.length;
    for (const { bytes } of parts) {
      this.#context.metrics.sent(answer, bytes.length);
      if (bytes.length > CLIENT_LIMIT) {
        const size = { node: this.#node?.id, type: answer.url, bytes: bytes.length, resources: answer.items.length };
        this.#context.log.warn("an answer is larger than the 4 MiB that gRPC clients take by default: raise the client's limit, or use delta", size);
      }
      this.#wire.write(bytes, () => {
        left -= 1;
        if (left === 0) this.#guard(() => this.#step({ ...this.#inputNow(), kind: "written" }));
      });
    }
  }

  #wakeAt(at: number | undefined): void {
    clearTimeout(this.#wake);
    this.#wake =
      at === undefined
        ? undefined
        : setTimeout(() => this.#guard(() => this.#step({ ...this.#inputNow(), kind: "tick" })), Math.max(0, at - this.#context.now()));
  }

  /** The edge of the function: whatever goes wrong ends this stream alone. */
  #guard(act: () => void): void {
    if (this.#closed) return;
    try {
      act();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#closed) return;
    const { codes, message, expected } = describeFailure(error);
    if (expected) this.#context.log.info("a stream was refused", { node: this.#node?.id, peer: this.#wire.peer, reason: message });
    else this.#context.log.error("a stream failed", { node: this.#node?.id, peer: this.#wire.peer, error });
    this.end({ code: codes.grpc, message });
  }
}

function decode(protocol: Protocol, bytes: Uint8Array): ReturnType<typeof readRequest> {
  try {
    return readRequest(protocol, bytes);
  } catch (cause) {
    throw new ServiceFailure("invalid", "the message is not a discovery request", { cause });
  }
}

function isSame(a: NodeMessage, b: NodeMessage | undefined): boolean {
  return b !== undefined && JSON.stringify(a) === JSON.stringify(b);
}
