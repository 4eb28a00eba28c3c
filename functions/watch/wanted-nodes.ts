import { readWantedWord, WANTED_PREFIX } from "#core/edition/wanted.ts";
import type { NodeMessage } from "#core/node/message.ts";
import type { ObjectStore } from "#core/store/object-store.ts";
import type { Log } from "../io/log.ts";

/**
 * Takes the words that fronts left of nodes that nothing is compiled for: they are compiled for, and removed once their layers are published. What is no word
 * is removed too, and logged. `compileFor` is called in any case, so that it may do what else there is to do.
 */
export async function takeWanted(store: ObjectStore, log: Log, compileFor: (nodes: readonly NodeMessage[]) => Promise<void>): Promise<void> {
  const words = await store.list(WANTED_PREFIX);
  const nodes: NodeMessage[] = [];
  for (const { key } of words) {
    const got = await store.get(key);
    if (got.outcome !== "found") continue;
    const node = readWantedWord(got.bytes);
    if (node === undefined) log.warn("a word of a wanted node can't be read; it is dropped", { key });
    else nodes.push(node);
  }
  await compileFor(nodes);
  for (const { key } of words) await store.delete(key);
}

/** How often the store is looked at for words, in milliseconds. */
const EVERY = 1_000;

/** Takes words from now on, until it is told to stop. Trouble is logged when it comes, not at each look. */
export function followWanted(store: ObjectStore, log: Log, compileFor: (nodes: readonly NodeMessage[]) => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let troubled = false;
  const look = async (): Promise<void> => {
    try {
      await takeWanted(store, log, (nodes) => (nodes.length > 0 ? compileFor(nodes) : Promise.resolve()));
      troubled = false;
    } catch (error) {
      if (!troubled) log.warn("nodes that fronts want could not be taken from the store; trying on", { error });
      troubled = true;
    }
    later();
  };
  const later = (): void => {
    if (!stopped) timer = setTimeout(() => void look(), EVERY);
  };
  later();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
