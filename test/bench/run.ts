// Measures builds and changes on a synthetic mesh (1,000 services × 10 endpoints, 200 VirtualServices and DestinationRules) and prints figures and
// ratios: npm run bench. With ALMANAC_BENCH_ISTIOD=PROGRAM (see istiod.ts) a real istiod answers the same input in the same run.

import { spawnSync } from "node:child_process";
import { type ChangeCost, changes } from "./changes.ts";
import { type FullBuild, fullBuild, warmUp } from "./full-build.ts";
import { istiodCost } from "./istiod.ts";
import { line, median } from "./measure.ts";
import { MESH_1000 } from "./mesh.ts";

const tool = process.env.ALMANAC_BENCH_ISTIOD;
const costs: number[] = [];
askIstiod();
warmUp(MESH_1000);
const builds: (readonly [classes: number, cost: FullBuild])[] = [];
for (const classes of [1, 20, 1000]) {
  builds.push([classes, fullBuild(MESH_1000, classes)]);
  askIstiod();
}
const istiod = costs.length === 0 ? undefined : median(costs);
if (istiod !== undefined)
  console.log(line("istiod, one sidecar, cache off", istiod, "ms CPU", `from ${Math.min(...costs)} to ${Math.max(...costs)}`));
const one = builds[0]?.[1] ?? { resources: Number.NaN, edition: Number.NaN };
for (const [classes, cost] of builds) tell(`full build, ${classes === 1 ? "1 class" : `${classes} classes`}`, cost, classes);

const small = await changes(MESH_1000, 1);
const large = await changes({ ...MESH_1000, services: 5000 }, 1);
tellChange("endpoint change, 1,000 services", small.endpoint);
tellChange("endpoint change, 5,000 services", large.endpoint, `× ${(large.endpoint.build / small.endpoint.build).toFixed(2)}`);
tellChange("VirtualService change, 1,000 services", small.rule);
tellChange("VirtualService change, 5,000 services", large.rule, `× ${(large.rule.build / small.rule.build).toFixed(2)}`);
console.log(line("memory at 5,000 services × 20 endpoints", memory(), "MB"));

/** Between the measures, since the machine is not the same all the time. */
function askIstiod(): void {
  if (tool !== undefined) costs.push(istiodCost(tool, MESH_1000));
}

function tell(what: string, cost: FullBuild, classes: number): void {
  for (const part of ["resources", "edition"] as const) {
    const share = istiod === undefined ? "" : `, × ${(cost[part] / classes / istiod).toFixed(3)} of istiod for each class`;
    console.log(line(`${what}: ${part}`, cost[part], "ms CPU", `× ${(cost[part] / one[part]).toFixed(2)} of one class${share}`));
  }
}

function tellChange(what: string, cost: ChangeCost, comparison = ""): void {
  console.log(line(`${what}: edition`, cost.build, "ms CPU", comparison));
  const written = `2 writes of ${cost.bytes} bytes (${cost.most} at most, when packs merge)`;
  console.log(line(`${what}: publication`, cost.publication, "ms CPU", written));
}

/** In a process of its own, which has nothing else to hold. */
function memory(): number {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--expose-gc", "--import", "tsx", "test/bench/memory.ts"], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout.split(" ")[0]);
}
