import { canonicalText } from "#core/lib/canonical.ts";
import { digestOf } from "#core/lib/digest.ts";
import { type NodeMessage, readNodeMessage } from "#core/node/message.ts";

/** Where fronts leave word, beside the editions, of nodes that nothing is compiled for; builders take them into the census. */
export const WANTED_PREFIX = "wanted/";

/** One such word: JSON, under a key that is the same for all who say the same of themselves, so that it is left once. */
export interface WantedWord {
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** The word of a node. */
export function wantedWord(node: NodeMessage): WantedWord {
  const text = canonicalText({ node });
  return { key: `${WANTED_PREFIX}${digestOf(text)}`, bytes: new TextEncoder().encode(text) };
}

/** The node that a word is of; undefined if it is no word. */
export function readWantedWord(bytes: Uint8Array): NodeMessage | undefined {
  try {
    const word = JSON.parse(new TextDecoder().decode(bytes)) as { readonly node?: unknown } | null;
    const node = readNodeMessage(word?.node);
    return "error" in node ? undefined : node;
  } catch {
    return undefined;
  }
}
