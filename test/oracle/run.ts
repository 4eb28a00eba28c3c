// Runs oracle cases and prints how many resources are equal, then the first paths that differ:
//   node --import tsx test/oracle/run.ts [AREA/CASE…] [--all] [--type TYPE]
// A prefix is enough; without one, routing, discovery and own run. --all prints every difference; those marked + are wanted (wanted.json).
import { caseNames, expectedAnswers } from "./cases.ts";
import { type Comparison, compare } from "./compare.ts";
import { renderCase } from "./render.ts";
import { wantedDifferences } from "./wanted.ts";

const [flags, prefixes] = split(process.argv.slice(2));
const limit = flags.has("--all") ? Number.POSITIVE_INFINITY : 3;
const only = flags.get("--type");
const totals: Record<string, { equal: number; all: number }> = {};
let whole = 0;
let cases = 0;

for (const name of caseNames(prefixes.length > 0 ? prefixes : ["routing/", "discovery/", "own/"])) {
  cases += 1;
  const comparisons = compareCase(name);
  if (comparisons.every(({ equal, all }) => equal === all)) whole += 1;
  for (const { types } of comparisons) {
    for (const [type, count] of Object.entries(types)) {
      totals[type] ??= { equal: 0, all: 0 };
      totals[type].equal += count.equal;
      totals[type].all += count.all;
    }
  }
}
for (const [type, { equal, all }] of Object.entries(totals)) console.log(`${type}: ${equal} of ${all} equal`);
console.log(`cases: ${whole} of ${cases} whole`);

function compareCase(name: string): readonly Comparison[] {
  const found = rendered(name);
  const meant = new Set(wantedDifferences(name));
  return [...expectedAnswers(name)].map(([node, expected]) => {
    const comparison = compare(expected, found.get(node) ?? {});
    const counts = Object.entries(comparison.types).map(([type, { equal, all }]) => `${type} ${equal}/${all}`);
    console.log(`${comparison.equal === comparison.all ? "=" : "≠"} ${name} ${node}: ${counts.join(", ")}`);
    const shown = comparison.differences.filter(({ type }) => only === undefined || type === only);
    const perResource = new Map<string, number>();
    for (const { type, name: resource, path, expected: wanted, found: got } of shown) {
      const count = (perResource.get(`${type} ${resource}`) ?? 0) + 1;
      perResource.set(`${type} ${resource}`, count);
      if (count <= limit)
        console.log(
          `  ${meant.has(`${node} ${type} ${resource}`) ? "+" : " "} ${type} ${resource}${path}: ${short(wanted)} expected, ${short(got)} found`,
        );
    }
    return comparison;
  });
}

function rendered(name: string): ReadonlyMap<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
  try {
    return renderCase(name);
  } catch (error) {
    console.log(`! ${name}: ${error instanceof Error ? error.stack : String(error)}`);
    return new Map();
  }
}

function split(args: readonly string[]): [ReadonlyMap<string, string>, readonly string[]] {
  const flags = new Map<string, string>();
  const rest: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (arg === "--type") flags.set(arg, args[++index] ?? "");
    else if (arg.startsWith("--")) flags.set(arg, "");
    else rest.push(arg);
  }
  return [flags, rest];
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
