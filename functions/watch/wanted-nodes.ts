import type { NodeMessage } from "#core/node/message.ts";
import type { ObjectStore } from "#core/store/object-store.ts";
import type { Log } from "../io/log.ts";

/** Where fronts leave word of nodes that nothing is compiled for (functions/front/wanted.ts). */
const WANTED_PREFIX = "wanted/";

/**
 * Takes the words that fronts left: they are compiled for, and removed once their layers are published. What is no word is removed too, and logged.
 * `compileFor` is called in any case, so that it may do what else there is to do.
 */
export async function takeWanted(store: ObjectStore, log: Log, compileFor: (nodes: readonly NodeMessage[]) => Promise<void>): Promise<void> {
  const words = await store.list(WANTED_PREFIX);
  const nodes: NodeMessage[] = [];
  for (const { key } of words) {
    const got = await store.get(key);
    if (got.outcome !== "found") continue;
    const node = readWord(got.bytes);
    if (node === undefined) log.warn("a word of a wanted node can't be read; it is dropped", { key });
    else nodes.push(node);
  }
  await compileFor(nodes);
  for (const { key } of words) await store.delete(key);
}

function readWord(bytes: Uint8Array): NodeMessage | undefined {
  try {
    const word = JSON.parse(new TextDecoder().decode(bytes)) as { readonly node?: NodeMessage };
    return typeof word.node?.id === "string" ? word.node : undefined;
  } catch {
    return undefined;
  }
}
