import { nextWake } from "./deadlines.ts";
import { readDeltaRequest } from "./delta.ts";
import { drain } from "./drain.ts";
import type { DeltaRequest, Input, SotwRequest } from "./input.ts";
import { lastAssignments } from "./keep-assignments.ts";
import type { Answer, Note, Output } from "./output.ts";
import { ORDER, ruleOfUrl } from "./resource-rules.ts";
import { type Session, withChannel } from "./session.ts";
import { readRequest } from "./sotw.ts";
import { WILDCARD } from "./subscription.ts";

/**
 * The protocol: one input, the next state, and what it wants done. Pure; the transport adds bytes, clocks and sockets.
 * At most one response is handed out at a time: the next is made when its bytes have left, from what is newest then.
 */
export function step(session: Session, input: Input): readonly [Session, readonly Output[]] {
  if (session.closed) return [session, []];
  if (input.kind === "closed") return [{ ...session, closed: true }, []];
  const current = session.recent.length > 0 && !isYoung(session, input.now) ? { ...session, recent: [] } : session;
  const { session: read, outputs } = take(current, input);
  if (outputs.some(({ kind }) => kind === "reject")) return [{ ...read, closed: true }, outputs];
  const { session: drained, outputs: sends } = drain(read, input.now);
  const at = nextWake(drained, input.now);
  const wakes: readonly Output[] = at === drained.wakeAt ? [] : [{ kind: "wake", at }];
  return [at === drained.wakeAt ? drained : { ...drained, wakeAt: at }, [...outputs, ...sends, ...wakes]];
}

interface Step {
  readonly session: Session;
  readonly outputs: readonly Output[];
}

function take(session: Session, input: Exclude<Input, { kind: "closed" }>): Step {
  switch (input.kind) {
    case "request":
    case "delta-request":
      return takeRequest(session, input);
    case "edition":
      return { session: withView(session, input), outputs: [] };
    case "written":
      return { session: written(session, input.now), outputs: [] };
    case "tick":
      return { session: { ...session, wakeAt: undefined }, outputs: [] };
  }
}

/** While a client may still say what it brought along, the editions that pass are remembered. */
function withView(session: Session, { view, recent, now }: Extract<Input, { kind: "edition" }>): Session {
  if (view === session.view) return session;
  const passed = session.view === undefined ? session.recent : [session.view, ...session.recent];
  const remembered = recent ?? (isYoung(session, now) ? passed : []);
  return { ...session, view, recent: remembered, assignments: lastAssignments(session, view) };
}

function isYoung({ startedAt }: Session, now: number): boolean {
  return now < startedAt + CLAIMS_MS;
}

/** So long after its start, a stream's clients have opened the types that they had before. */
const CLAIMS_MS = 30_000;

type RequestInput = Extract<Input, { kind: "request" | "delta-request" }>;

function takeRequest(session: Session, input: RequestInput): Step {
  const { url } = input.request;
  if (url === "") return { session, outputs: [{ kind: "reject", message: "a request on an aggregated stream must name its type (type_url)" }] };
  const rule = ruleOfUrl(url);
  if (rule === undefined) return unserved(session, input.request);
  const { session: next, notes } =
    input.kind === "request" ? readRequest(session, rule, input.request, input.now) : readDeltaRequest(session, rule, input.request, input.now);
  return { session: next, outputs: notes.map(noted) };
}

/** A type that is not served harms no other: state of the world stays silent, delta says that the names do not exist. */
function unserved(session: Session, request: SotwRequest | DeltaRequest): Step {
  const note = noted({ event: "unserved-type", url: request.url });
  const removed = "subscribe" in request ? request.subscribe.filter((name) => name !== WILDCARD) : [];
  if (removed.length === 0) return { session, outputs: [note] };
  const nonce = session.nonce + 1;
  const answer: Answer = { url: request.url, version: "", nonce: String(nonce), items: [], removed: [...new Set(removed)] };
  return { session: { ...session, nonce }, outputs: [note, { kind: "send", answer }] };
}

function noted(note: Note): Output {
  return { kind: "note", note };
}

function written(session: Session, now: number): Session {
  let next: Session = { ...session, writing: false };
  for (const { type } of ORDER) {
    const channel = next.channels[type];
    if (!channel?.inflight.some(({ writtenAt }) => writtenAt === undefined)) continue;
    next = withChannel(next, type, {
      ...channel,
      inflight: channel.inflight.map((sent) => (sent.writtenAt === undefined ? { ...sent, writtenAt: now } : sent)),
    });
  }
  return next;
}
