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
