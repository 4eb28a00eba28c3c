import { canonicalText } from "#core/lib/canonical.ts";
import { digestOf } from "#core/lib/digest.ts";
import type { NodeMessage } from "#core/node/message.ts";
import type { ObjectStore } from "#core/store/object-store.ts";
import type { Log } from "../io/log.ts";

/** Where a front leaves word of nodes that nothing is compiled for; builders take them into the census. */
export const WANTED_PREFIX = "wanted/";

/** What is left there, as JSON. */
export interface Wanted {
  readonly node: NodeMessage;
}

/** Words left in a minute: a node that changes its name each time must not fill the store. */
const MINUTELY = 300;

/** Reports nodes to whoever compiles: once for each, by the digest of what it says of itself. */
export function wantInStore(store: ObjectStore, log: Log, now: () => number): (node: NodeMessage) => void {
  let minute = 0;
  let left = MINUTELY;
  return (node) => {
    const present = Math.floor(now() / 60_000);
    if (present !== minute) [minute, left] = [present, MINUTELY];
    left -= 1;
    if (left < 0) return;
    const text = canonicalText({ node } satisfies Wanted);
    store.putIfAbsent(`${WANTED_PREFIX}${digestOf(text)}`, new TextEncoder().encode(text)).then(
      () => log.info("nothing is compiled for a node yet; it was asked for", { node: node.id }),
      (error: unknown) => log.warn("a node could not be asked for", { node: node.id, error }),
    );
  };
}
