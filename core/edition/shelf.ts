import type { OpenPack } from "./open-pack.ts";
import type { Records } from "./records.ts";
import { openRecord, type Sealer } from "./sealer.ts";

/**
 * The packs that a process has open, over all editions that it loads or publishes. Content that was read lazily of an edition long ago is found in whatever packs
 * hold it now; packs that the root names no more stay readable as long as somebody holds an edition that they complete.
 */
export class Shelf implements Records {
  readonly #sealer: Sealer | undefined;
  #current: readonly OpenPack[] = [];
  #retired: readonly WeakRef<OpenPack>[] = [];

  constructor(sealer: Sealer | undefined) {
    this.#sealer = sealer;
  }

  /** Those of the newest root, in its order. */
  get packs(): readonly OpenPack[] {
    return this.#current;
  }

  advance(packs: readonly OpenPack[]): void {
    const gone = this.#current.filter((pack) => !packs.includes(pack));
    // To look at a weak reference keeps what it stands for, for a while: only packs that go make it worth it.
    if (gone.length > 0) this.#retired = [...this.#retired.filter((pack) => pack.deref() !== undefined), ...gone.map((pack) => new WeakRef(pack))];
    this.#current = packs;
  }

  read(digest: string): Uint8Array {
    const record = findRecord(this.#current, digest) ?? findRecord(this.#stillHeld(), digest);
    if (record === undefined) throw new Error(`no pack has ${digest}`);
    return record;
  }

  open(digest: string): Uint8Array | undefined {
    return openRecord(this.read(digest), digest, this.#sealer);
  }

  #stillHeld(): readonly OpenPack[] {
    return this.#retired.map((pack) => pack.deref()).filter((pack) => pack !== undefined);
  }
}

function findRecord(packs: readonly OpenPack[], digest: string): Uint8Array | undefined {
  for (let index = packs.length - 1; index >= 0; index--) {
    const record = packs[index]?.read(digest);
    if (record !== undefined) return record;
  }
  return undefined;
}
