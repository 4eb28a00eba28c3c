import { digestOf } from "#core/lib/digest.ts";
import { memoize } from "#core/lib/memo.ts";
import type { Item } from "./offer.ts";

/**
 * Version of a set of resources: a digest of its names and digests in order. Equal sets have equal versions on every replica and after every restart,
 * and a version never stands for two contents.
 */
export const versionOf = memoize((items: readonly Item[]): string => digestOf(items.map(({ name, entry }) => `${name}\0${entry.digest}\n`).join("")));
