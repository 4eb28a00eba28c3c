import type { View } from "#core/edition/view.ts";
import type { Serving } from "#core/xds/serving.ts";
import type { Session } from "#core/xds/session.ts";
import { retainedDigests } from "#core/xds/status.ts";

/** Where a stream's bytes come from: the edition that it is served, and of those before what may still be sent. */
export class StreamBytes {
  #serving: Serving | undefined;
  /** As long as the session may recognise something of them. */
  #recent: readonly Serving[] = [];
  #pinned = new Map<string, Uint8Array>();

  get serving(): Serving | undefined {
    return this.#serving;
  }

  /** Views of the editions before, for a session that starts. */
  get recentViews(): readonly View[] {
    return this.#recent.map(({ view }) => view);
  }

  /** Moves to another edition; `recent` is asked when it is the first. */
  advance(serving: Serving, recent: () => readonly Serving[]): void {
    this.#recent = this.#serving === undefined ? recent() : [this.#serving, ...this.#recent];
    this.#serving = serving;
  }

  /** The same content from another edition: its blobs outlive those before. */
  refresh(serving: Serving): void {
    this.#serving = serving;
  }

  /** After a session has stepped into another edition: keeps what it may still send of those before. */
  retain(session: Session): void {
    const pinned = new Map<string, Uint8Array>();
    for (const digest of retainedDigests(session)) {
      const bytes = this.#pinned.get(digest) ?? bytesIn(this.#recent, digest);
      if (bytes !== undefined) pinned.set(digest, bytes);
    }
    this.#pinned = pinned;
    if (session.recent.length === 0) this.#recent = [];
  }

  /** Throws for a digest that the stream was never offered. */
  readonly bytesOf = (digest: string): Uint8Array => {
    const bytes = this.#pinned.get(digest) ?? bytesIn(this.#serving === undefined ? this.#recent : [this.#serving, ...this.#recent], digest);
    if (bytes === undefined) throw new Error(`no edition at hand has ${digest}`);
    return bytes;
  };

  clear(): void {
    this.#serving = undefined;
    this.#recent = [];
    this.#pinned.clear();
  }
}

function bytesIn(servings: readonly Serving[], digest: string): Uint8Array | undefined {
  for (const { blobs } of servings) {
    try {
      return blobs.bytes(digest);
    } catch {
      // Not of this edition.
    }
  }
  return undefined;
}
