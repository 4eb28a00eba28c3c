import assert from "node:assert/strict";
import type { Edition } from "#core/edition/edition.ts";
import type { PublishContext } from "#core/store/context.ts";
import type { Head } from "#core/store/head.ts";
import { loadHead } from "#core/store/load.ts";
import type { ObjectStore } from "#core/store/object-store.ts";
import { publish } from "#core/store/publish.ts";
import { brotli } from "#functions/io/compression.ts";
import { systemRandom } from "#functions/io/random.ts";

/** A store with what publishing needs around it. */
export function contextOf(store: ObjectStore, overrides: Partial<PublishContext> = {}): PublishContext {
  return { store, compression: brotli, random: systemRandom, now: () => 0, ...overrides };
}

/** Publishes what must succeed. */
export async function published(context: PublishContext, head: Head | undefined, edition: Edition): Promise<Head> {
  const result = await publish(context, head, edition);
  assert.equal(result.outcome, "published");
  return (result as { head: Head }).head;
}

/** Loads what must be there. */
export async function loaded(context: PublishContext, previous?: Head): Promise<Head> {
  const result = await loadHead(context, previous);
  assert.equal(result.outcome, "loaded");
  return (result as { head: Head }).head;
}
