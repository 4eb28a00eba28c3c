import type { Edition } from "#core/edition/edition.ts";
import type { PublishContext } from "#core/store/context.ts";
import type { Head } from "#core/store/head.ts";
import { type LoadResult, loadHead } from "#core/store/load.ts";
import { type Publication, publish } from "#core/store/publish.ts";

/** What a writer stands on. */
export interface Ground {
  /** What the store holds; undefined: nothing. */
  readonly head: Head | undefined;
  /** What is built on: the head's edition, or the last one known where somebody emptied the store, so that generations go on. */
  readonly edition: Edition | undefined;
}

/** Where a writer stands that has looked into the store; `before`: where it stood. */
export function groundOf(found: LoadResult, before?: Ground): Ground {
  const head = found.outcome === "empty" ? undefined : found.head;
  return { head, edition: head?.edition ?? before?.edition };
}

/** How an edition is made. */
export interface Making<B> {
  /** Builds on an edition (undefined: there is none), from the sources' present state; undefined: there is nothing to build now. */
  readonly make: (base: Edition | undefined) => B | undefined;
  /** Another writer was faster, for the `race`th time: `ground` is what it left. */
  readonly conceded?: (ground: Ground, race: number) => void;
  /** Around what only the store can fail at, for who tells its failures from others. */
  readonly atStore?: <T>(act: () => Promise<T>) => Promise<T>;
}

export type BuildPublication<B> =
  | (Exclude<Publication, { readonly outcome: "lost" }> & { readonly build: B })
  | { readonly outcome: "idle" }
  /** {@link RACES} times in a row another writer was faster. */
  | { readonly outcome: "overtaken" };

/** So many races lost in a row are no chance any more: somebody else writes all the time. */
export const RACES = 5;

/**
 * Builds and publishes one edition. Of two writers who built on the same head the one wins who swaps the root first, and that is the only lock. The loser drops
 * its edition, loads the winner's, and builds on that anew from what its own sources say by then: two editions are never merged, since nobody could tell which
 * of their differences were meant. Throws when the store fails; whether the edition is published then, loading tells.
 */
export async function publishBuild<B extends { readonly edition: Edition }>(
  context: PublishContext,
  ground: Ground,
  { make, conceded, atStore = directly }: Making<B>,
): Promise<BuildPublication<B>> {
  let { head, edition } = ground;
  for (let race = 1; race <= RACES; race++) {
    const build = make(edition);
    if (build === undefined) return { outcome: "idle" };
    const publication = await atStore(() => publish(context, head, build.edition));
    if (publication.outcome !== "lost") return { ...publication, build };
    const after = groundOf(await atStore(() => loadHead(context, head)), { head, edition });
    ({ head, edition } = after);
    conceded?.(after, race);
  }
  return { outcome: "overtaken" };
}

function directly<T>(act: () => Promise<T>): Promise<T> {
  return act();
}
