// Prints how much memory, in MB, a process holds that built an edition of 5,000 services with 20 endpoints each and goes on from it: run with --expose-gc.

import { build } from "#core/pipeline/build.ts";
import { inputOf } from "./full-build.ts";
import { MESH_1000, meshInventory } from "./mesh.ts";

const size = { ...MESH_1000, services: 5000, endpoints: 20 };
const made = build(inputOf(size, 1, meshInventory(size)), undefined);
globalThis.gc?.();
const { heapUsed, external } = process.memoryUsage();
console.log(((heapUsed + external) / 1e6).toFixed(1), made.layers.size);
