import { type Build, build } from "#core/pipeline/build.ts";
import { applyChange } from "#core/sources/inventory.ts";
import type { Head } from "#core/store/head.ts";
import { publish } from "#core/store/publish.ts";
import { brotli } from "#functions/io/compression.ts";
import { memoryStore } from "#functions/io/memory.ts";
import { systemRandom } from "#functions/io/random.ts";
import { inputOf } from "./full-build.ts";
import { cpuSince, median } from "./measure.ts";
import { type MeshSize, meshInventory, meshObject, slice, virtualService } from "./mesh.ts";

export interface ChangeCost {
  /** Milliseconds of CPU from the decoded change to the edition. */
  readonly build: number;
  /** From there until it is in the store, a memory. */
  readonly publication: number;
  /** Written by one publication, in two objects: median, and the most (when packs are merged). */
  readonly bytes: number;
  readonly most: number;
}

/** By what changes. */
export interface ChangeCosts {
  readonly endpoint: ChangeCost;
  readonly rule: ChangeCost;
}

/** Changes after which a process is warm: what each runs once is compiled late, and the first hundred cost twice as much. */
const WARM_UP = 1200;
const CHANGES = 100;
/** A share is a percentage. */
const SHARES = 80;

/** A process that follows changes one by one, of an endpoint and of a VirtualService, for `classes` kinds of sidecars. */
export async function changes(size: MeshSize, classes: number): Promise<ChangeCosts> {
  const context = { store: memoryStore(), compression: brotli, random: systemRandom, now: Date.now };
  let state = await published(build(inputOf(size, classes, meshInventory(size)), undefined), undefined);
  const endpoint = await series((turn) => slice(size.rules + 7, size, new Set([turn % size.endpoints])));
  const rule = await series((turn) => virtualService(7, size, 11 + (turn % SHARES)));
  return { endpoint, rule };

  async function series(document: (turn: number) => unknown): Promise<ChangeCost> {
    const costs: { readonly build: number; readonly publication: number; readonly bytes: number }[] = [];
    for (let turn = 0; turn < WARM_UP + CHANGES; turn++) {
      const object = meshObject(document(turn));
      const { build: last, head } = state;
      const start = process.cpuUsage();
      const inventory = applyChange(last.input.inventory, { type: "upsert", object });
      const made = build({ ...last.input, inventory }, head.edition, last);
      const built = cpuSince(start);
      state = await published(made, head);
      costs.push({ build: built, publication: cpuSince(start) - built, bytes: state.bytes });
    }
    const counted = costs.slice(WARM_UP);
    const bytes = counted.map((cost) => cost.bytes);
    return {
      build: median(counted.map((cost) => cost.build)),
      publication: median(counted.map(({ publication }) => publication)),
      bytes: median(bytes),
      most: Math.max(...bytes),
    };
  }

  async function published(made: Build, head: Head | undefined): Promise<{ readonly build: Build; readonly head: Head; readonly bytes: number }> {
    const result = await publish(context, head, made.edition);
    if (result.outcome !== "published") throw new Error(`a change gave no edition: ${result.outcome}`);
    return { build: made, head: result.head, bytes: result.bytes };
  }
}
