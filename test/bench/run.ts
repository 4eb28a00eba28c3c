// Measures builds and changes on a synthetic mesh (1,000 services × 10 endpoints, 200 VirtualServices and DestinationRules) and prints figures and
// ratios: npm run bench. With ALMANAC_BENCH_ISTIOD=PROGRAM (see istiod.ts) a real istiod answers the same input in the same run.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { ChangeCost, ChangeCosts } from "./changes.ts";
import { type FullBuild, fullBuild, warmUp } from "./full-build.ts";
import { istiodCost } from "./istiod.ts";
import { line, median } from "./measure.ts";
import { MESH_1000 } from "./mesh.ts";

const tool = process.env.ALMANAC_BENCH_ISTIOD;

/** Cost of full builds, and of istiod just before: the machine is not the same all the time, so that only neighbours are compared. */
interface Round {
  readonly classes: number;
  readonly cost: FullBuild;
  readonly istiod: number | undefined;
}

warmUp(MESH_1000);
const rounds = [1, 1, 1, 20, 1000].map((classes): Round => {
  const istiod = tool === undefined ? undefined : istiodCost(tool, MESH_1000);
  return { classes, istiod, cost: fullBuild(MESH_1000, classes) };
});
const asked = rounds.flatMap(({ istiod }) => istiod ?? []);
if (asked.length > 0)
  console.log(line("istiod, one sidecar, cache off", median(asked), "ms CPU", `from ${Math.min(...asked)} to ${Math.max(...asked)}`));
for (const classes of [1, 20, 1000]) tell(classes, "resources");
for (const classes of [1, 20, 1000]) tell(classes, "edition");

const small = costsOfChanges(1000);
const large = costsOfChanges(5000);
tellChange("endpoint change, 1,000 services", small.endpoint);
tellChange("endpoint change, 5,000 services", large.endpoint, `× ${(large.endpoint.build / small.endpoint.build).toFixed(2)}`);
tellChange("VirtualService change, 1,000 services", small.rule);
tellChange("VirtualService change, 5,000 services", large.rule, `× ${(large.rule.build / small.rule.build).toFixed(2)}`);
console.log(line("memory at 5,000 services × 20 endpoints", Number(inProcess("memory").split(" ")[0]), "MB"));

function tell(classes: number, part: keyof FullBuild): void {
  const own = rounds.filter((round) => round.classes === classes);
  const cost = median(own.map((round) => round.cost[part]));
  const one = median(rounds.flatMap((round) => (round.classes === 1 ? [round.cost[part]] : [])));
  const ratios = own.flatMap((round) => (round.istiod === undefined ? [] : [round.cost[part] / classes / round.istiod]));
  const range = ratios.length > 1 ? ` (from ${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)})` : "";
  const share = ratios.length === 0 ? "" : `, × ${median(ratios).toFixed(3)} of istiod for each class${range}`;
  const what = `full build, ${classes === 1 ? "1 class" : `${classes} classes`}: ${part}`;
  console.log(line(what, cost, "ms CPU", `× ${(cost / one).toFixed(2)} of one class${share}`));
}

function tellChange(what: string, cost: ChangeCost, comparison = ""): void {
  console.log(line(`${what}: edition`, cost.build, "ms CPU", comparison));
  const written = `2 writes of ${cost.bytes} bytes (${cost.most} at most, when packs merge)`;
  console.log(line(`${what}: publication`, cost.publication, "ms CPU", written));
}

function costsOfChanges(services: number): ChangeCosts {
  return JSON.parse(inProcess("follow", String(services))) as ChangeCosts;
}

/** In a process of its own, which has nothing else to hold and was made for nothing else: what another bundle beside this one prints. */
function inProcess(bundle: string, ...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--expose-gc", join(import.meta.dirname, `${bundle}.js`), ...args], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
