import { wantedWord } from "#core/edition/wanted.ts";
import type { NodeMessage } from "#core/node/message.ts";
import type { ObjectStore } from "#core/store/object-store.ts";
import type { Log } from "../io/log.ts";

/** Words left in a minute: a node that changes its name each time must not fill the store. */
const MINUTELY = 300;

/** Reports nodes to whoever compiles, by leaving word in the store. */
export function wantInStore(store: ObjectStore, log: Log, now: () => number): (node: NodeMessage) => void {
  let minute = 0;
  let left = MINUTELY;
  return (node) => {
    const present = Math.floor(now() / 60_000);
    if (present !== minute) [minute, left] = [present, MINUTELY];
    left -= 1;
    if (left < 0) return;
    const { key, bytes } = wantedWord(node);
    store.putIfAbsent(key, bytes).then(
      () => log.info("nothing is compiled for a node yet; it was asked for", { node: node.id }),
      (error: unknown) => log.warn("a node could not be asked for", { node: node.id, error }),
    );
  };
}
