// Prints how much memory, in MB, a process holds that built an edition of 5,000 services with 20 endpoints each and went on from it with a change of an
// endpoint and one of a Pod (what only changes need is made then): run with --expose-gc.

import { build } from "#core/pipeline/build.ts";
import { applyChange } from "#core/sources/inventory.ts";
import { inputOf } from "./full-build.ts";
import { MESH_1000, meshInventory, meshObject, pod, slice } from "./mesh.ts";

const size = { ...MESH_1000, services: 5000, endpoints: 20 };
let made = build(inputOf(size, 1, meshInventory(size)), undefined);
for (const document of [slice(7, size, new Set([3])), pod(7, 3, size, "v3")]) {
  const inventory = applyChange(made.input.inventory, { type: "upsert", object: meshObject(document) });
  made = build({ ...made.input, inventory }, made.edition, made);
}
globalThis.gc?.();
const { heapUsed, external } = process.memoryUsage();
console.log(((heapUsed + external) / 1e6).toFixed(1), made.layers.size);
