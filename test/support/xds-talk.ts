import type { ResourceType } from "#core/edition/resource.ts";
import type { View } from "#core/edition/view.ts";
import type { Input } from "#core/xds/input.ts";
import type { Answer, Note, Output } from "#core/xds/output.ts";
import { ORDER, ruleOf } from "#core/xds/resource-rules.ts";
import { openSession, type Protocol, type Session } from "#core/xds/session.ts";
import { step } from "#core/xds/step.ts";

export interface TalkOptions {
  /** false: bytes leave only when the test says `written`. */
  readonly flowing?: boolean;
  readonly legacyWildcard?: boolean;
}

/** A conversation with the protocol as a test writes it down: each act returns the answers that it caused, as short lines: `clusters a@1 b@1 -c`. */
export class Talk {
  session: Session;
  now = 1_000;
  readonly answers: Answer[] = [];
  readonly notes: Note[] = [];
  readonly rejections: string[] = [];
  wakeAt: number | undefined;
  readonly #protocol: Protocol;
  readonly #flowing: boolean;

  constructor(protocol: Protocol, { flowing = true, legacyWildcard = true }: TalkOptions = {}) {
    this.#protocol = protocol;
    this.#flowing = flowing;
    this.session = openSession(protocol, { legacyWildcard }, this.now);
  }

  /** A state-of-the-world request; `nonce` defaults to that of the type's last answer. */
  ask(
    type: ResourceType | { url: string },
    names: readonly string[] = [],
    rest: { version?: string; nonce?: string; error?: string } = {},
  ): string[] {
    const url = typeof type === "string" ? ruleOf(type).url : type.url;
    const last = this.last(url);
    const { version = last?.version ?? "", nonce = last?.nonce ?? "", error } = rest;
    const request = { url, version, nonce, names, ...(error !== undefined && { error: { code: 13, message: error } }) };
    return this.take({ kind: "request", now: this.now, request });
  }

  /** A delta request; without `nonce` it is spontaneous. */
  tell(
    type: ResourceType | { url: string },
    rest: { subscribe?: readonly string[]; unsubscribe?: readonly string[]; held?: Record<string, string>; nonce?: string; error?: string } = {},
  ): string[] {
    const url = typeof type === "string" ? ruleOf(type).url : type.url;
    const { subscribe = [], unsubscribe = [], held = {}, nonce = "", error } = rest;
    const request = { url, nonce, subscribe, unsubscribe, held, ...(error !== undefined && { error: { code: 13, message: error } }) };
    return this.take({ kind: "delta-request", now: this.now, request });
  }

  /** Acknowledges the last answer of the type; state of the world repeats the names that are subscribed to. */
  ack(type: ResourceType, names: readonly string[] = this.names(type)): string[] {
    return this.#protocol === "sotw" ? this.ask(type, names) : this.tell(type, { nonce: this.nonce(type) });
  }

  nack(type: ResourceType, error = "no"): string[] {
    return this.#protocol === "sotw" ? this.ask(type, this.names(type), { error }) : this.tell(type, { nonce: this.nonce(type), error });
  }

  edition(view: View): string[] {
    return this.take({ kind: "edition", now: this.now, view });
  }

  /** Lets time pass; ticks come when they were asked for. */
  wait(ms: number): string[] {
    const until = this.now + ms;
    const lines: string[] = [];
    while (this.wakeAt !== undefined && this.wakeAt <= until) {
      this.now = Math.max(this.now, this.wakeAt);
      this.wakeAt = undefined;
      lines.push(...this.take({ kind: "tick", now: this.now }));
    }
    this.now = until;
    return lines;
  }

  written(): string[] {
    return this.take({ kind: "written", now: this.now });
  }

  nonce(type: ResourceType): string {
    return this.last(ruleOf(type).url)?.nonce ?? "";
  }

  version(type: ResourceType): string {
    return this.last(ruleOf(type).url)?.version ?? "";
  }

  names(type: ResourceType): readonly string[] {
    const { wildcard = false, legacy = false, names = [] } = this.session.channels[type]?.subscription ?? {};
    return wildcard && !legacy ? ["*", ...names] : names;
  }

  last(url: string): Answer | undefined {
    return this.answers.findLast((answer) => answer.url === url);
  }

  take(input: Input): string[] {
    const [session, outputs] = step(this.session, input);
    this.session = session;
    const lines: string[] = [];
    let sent = false;
    for (const output of outputs) {
      if (output.kind === "send") sent = true;
      lines.push(...this.#record(output));
    }
    if (sent && this.#flowing) lines.push(...this.written());
    return lines;
  }

  #record(output: Output): string[] {
    switch (output.kind) {
      case "send":
        this.answers.push(output.answer);
        return [lineOf(output.answer)];
      case "note":
        this.notes.push(output.note);
        return [];
      case "reject":
        this.rejections.push(output.message);
        return [];
      case "wake":
        this.wakeAt = output.at;
        return [];
    }
  }
}

function lineOf({ url, items, removed }: Answer): string {
  const type = ORDER.find((rule) => rule.url === url)?.type ?? url;
  const parts = items.map(({ name, entry }) => (entry.digest === "empty" ? `${name}=empty` : entry.digest));
  return [type, ...parts, ...removed.map((name) => `-${name}`)].join(" ");
}
