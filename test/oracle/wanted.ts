import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A difference from Istio that is meant, and where it can be seen. */
interface Wanted {
  readonly id: string;
  /** By case, resources (`node type name`) that differ for this reason; they must. */
  readonly cases?: Readonly<Record<string, readonly string[]>>;
}

const ALL = JSON.parse(readFileSync(join(import.meta.dirname, "wanted.json"), "utf8")) as readonly Wanted[];

/** The resources of a case that differ from the oracle's on purpose, as `node type name`, sorted. */
export function wantedDifferences(caseName: string): readonly string[] {
  return ALL.flatMap(({ cases }) => cases?.[caseName] ?? []).sort();
}
