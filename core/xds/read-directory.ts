import type { Directory } from "#core/node/directory.ts";

/** A directory that remembers what was looked up in it. */
export interface ReadDirectory extends Directory {
  /** Whether another directory answers the same, by identity. */
  readonly answersAlike: (other: Directory) => boolean;
}

/** So that a node is looked at again only when its own entries changed. */
export function readDirectory(directory: Directory): ReadDirectory {
  const reads: ((other: Directory) => boolean)[] = [];
  return {
    get entries() {
      return directory.entries;
    },
    byName: (...name) => {
      const found = directory.byName(...name);
      reads.push((other) => other.byName(...name) === found);
      return found;
    },
    byAddress: (...address) => {
      const found = directory.byAddress(...address);
      reads.push((other) => other.byAddress(...address) === found);
      return found;
    },
    answersAlike: (other) => reads.every((read) => read(other)),
  };
}
