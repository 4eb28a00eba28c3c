// Measures builds and changes on a synthetic mesh and prints figures and ratios: npm run bench
// CPU is this process's own (user and system), medians over several runs; caches are cold for full builds, since each has an inventory of its own.

import { type Build, type BuildInput, build } from "#core/pipeline/build.ts";
import { decode } from "#core/sources/decode.ts";
import { applyChange, type Inventory } from "#core/sources/inventory.ts";
import type { Head } from "#core/store/head.ts";
import { publish } from "#core/store/publish.ts";
import { brotli } from "#functions/io/compression.ts";
import { memoryStore } from "#functions/io/memory.ts";
import { systemRandom } from "#functions/io/random.ts";
import { MESH_1000, type MeshSize, meshInventory, meshNodes, slice, virtualService } from "./mesh.ts";

const OPTIONS = { domainSuffix: "cluster.local", configCluster: "Kubernetes" };
const FULL_RUNS = 4;
const CHANGES = 30;

const one = fullBuild(MESH_1000, 1);
print("full build, 1 class", one, 1);
for (const classes of [20, 1000]) {
  const cost = fullBuild(MESH_1000, classes);
  print(`full build, ${classes} classes`, cost, cost / one);
}
const small = await changes(MESH_1000);
const large = await changes({ ...MESH_1000, services: 5000 });
print("endpoint change, 1,000 services", small.endpoint.cpu, 1, small.endpoint);
print("endpoint change, 5,000 services", large.endpoint.cpu, large.endpoint.cpu / small.endpoint.cpu, large.endpoint);
print("VirtualService change, 1,000 services", small.rule.cpu, 1, small.rule);

function inputOf(size: MeshSize, classes: number, inventory: Inventory): BuildInput {
  return { inventory, options: OPTIONS, allocate: false, builder: "bench", census: meshNodes(classes, size).map((node) => ({ node })) };
}

/** Milliseconds of CPU from an inventory to an edition; the first run only warms the compiler up. */
function fullBuild(size: MeshSize, classes: number): number {
  const costs = Array.from({ length: FULL_RUNS }, () => {
    const input = inputOf(size, classes, meshInventory(size));
    return timed(() => build(input, undefined)).cpu;
  });
  return median(costs.slice(1));
}

interface ChangeCost {
  readonly cpu: number;
  /** Written by one publication, in two objects: median, and the most (when packs are merged). */
  readonly bytes: number;
  readonly most: number;
}

/** From a decoded change to an edition published in memory. */
async function changes(size: MeshSize): Promise<{ readonly endpoint: ChangeCost; readonly rule: ChangeCost }> {
  const context = { store: memoryStore(), compression: brotli, random: systemRandom, now: Date.now };
  const input = inputOf(size, 1, meshInventory(size));
  let state = await published(build(input, undefined), undefined);
  const endpoint = await series((turn) => slice(7, size, new Set([turn % size.endpoints])));
  const rule = await series((turn) => virtualService(7, size, 11 + turn));
  return { endpoint, rule };

  async function series(document: (turn: number) => unknown): Promise<ChangeCost> {
    const costs: number[] = [];
    const bytes: number[] = [];
    for (let turn = 0; turn < CHANGES; turn++) {
      const { object } = decode(document(turn), { cluster: "Kubernetes" });
      if (object === undefined) throw new Error("the changed object can't be decoded");
      const before = process.cpuUsage();
      const { build: last, head } = state;
      const inventory = applyChange(last.input.inventory, { type: "upsert", object });
      state = await published(build({ ...last.input, inventory }, head.edition, last), head);
      costs.push(cpuSince(before));
      bytes.push(state.bytes);
    }
    return { cpu: median(costs), bytes: median(bytes), most: Math.max(...bytes) };
  }

  async function published(made: Build, head: Head | undefined): Promise<{ readonly build: Build; readonly head: Head; readonly bytes: number }> {
    const result = await publish(context, head, made.edition);
    if (result.outcome !== "published") throw new Error(`a change gave no edition: ${result.outcome}`);
    return { build: made, head: result.head, bytes: result.bytes };
  }
}

function timed<T>(act: () => T): { readonly cpu: number; readonly result: T } {
  const before = process.cpuUsage();
  const result = act();
  return { cpu: cpuSince(before), result };
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function print(what: string, cpu: number, ratio: number, cost?: ChangeCost): void {
  const written = cost === undefined ? "" : `, 2 writes of ${cost.bytes} bytes (${cost.most} at most, when packs merge)`;
  console.log(`${what.padEnd(40)} ${cpu.toFixed(2).padStart(9)} ms CPU, × ${ratio.toFixed(2)}${written}`);
}
