import { resolveMesh } from "#core/model/resolve/mesh.ts";
import { resolveDirectory } from "#core/model/resolve/workloads/directory.ts";
import { type BuildInput, build } from "#core/pipeline/build.ts";
import { censusFacts } from "#core/pipeline/census.ts";
import { compile } from "#core/pipeline/compile.ts";
import type { Inventory } from "#core/sources/inventory.ts";
import { median, timed } from "./measure.ts";
import { type MeshSize, meshInventory, meshNodes } from "./mesh.ts";

export const OPTIONS = { domainSuffix: "cluster.local", configCluster: "Kubernetes" };

/** Runs before those that count: the engine compiles what is new in a measure. */
const WARM_UP = 3;
const RUNS = 9;

/** Builds after which a process is warm: the engine compiles until then, at last for a fifth of the time. */
const COLD = 40;

export function inputOf(size: MeshSize, classes: number, inventory: Inventory): BuildInput {
  return { inventory, options: OPTIONS, allocate: false, builder: "bench", census: meshNodes(classes, size).map((node) => ({ node })) };
}

/** Milliseconds of CPU, each run on an inventory of its own: nothing is remembered from the one before. */
export interface FullBuild {
  /** From the objects to every resource of every class, encoded: what istiod does for its proxies, and what it did before when the objects arrived. */
  readonly resources: number;
  /** All the rest included: checking against Envoy's constraints, analysis, digests and trees of the edition. */
  readonly edition: number;
}

export function fullBuild(size: MeshSize, classes: number): FullBuild {
  const resources = repeat(size, classes, ({ inventory, options, census }) => {
    const mesh = resolveMesh(inventory, options);
    compile(mesh, censusFacts(census, resolveDirectory(mesh)));
  });
  const edition = repeat(size, classes, (input) => build(input, undefined));
  return { resources, edition };
}

/** Builds until the process is warm. */
export function warmUp(size: MeshSize): void {
  for (let run = 0; run < COLD; run++) build(inputOf(size, 1, meshInventory(size)), undefined);
}

function repeat(size: MeshSize, classes: number, act: (input: BuildInput) => unknown): number {
  const costs = Array.from({ length: WARM_UP + RUNS }, () => {
    const input = inputOf(size, classes, meshInventory(size));
    return timed(() => act(input)).cpu;
  });
  return median(costs.slice(WARM_UP));
}
