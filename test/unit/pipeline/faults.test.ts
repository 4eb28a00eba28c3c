import assert from "node:assert/strict";
import { test } from "node:test";
import { lookUp } from "#core/lib/trie.ts";
import { analyze } from "#core/pipeline/analyze.ts";
import { type Build, build } from "#core/pipeline/build.ts";
import { RENDERERS, type Renderers } from "#core/pipeline/renderers.ts";
import type { Inventory } from "#core/sources/inventory.ts";
import { layerKeys } from "#test/support/layer-keys.ts";
import { inventoryOf, OPTIONS, podYaml, serviceYaml } from "#test/support/resolve.ts";

const web = { app: "web" };
const before = inventoryOf(`${podYaml("web-1", "10.1.0.5", web)}${serviceYaml("web", [["web-1", "10.1.0.5"]])}`);
const after = inventoryOf(`${podYaml("web-1", "10.1.0.5", web)}${serviceYaml("web", [["web-1", "10.1.0.5"]])}${serviceYaml("late")}`);

const census = ["shop", "other"].map((namespace) => ({
  node: {
    id: `sidecar~10.1.0.5~web-1.${namespace}~${namespace}.svc.cluster.local`,
    cluster: "web",
    metadata: { NAMESPACE: namespace, CLUSTER_ID: "Kubernetes", ISTIO_VERSION: "1.31.0", LABELS: web },
    locality: { region: "", zone: "", subzone: "" },
    userAgentName: "envoy",
  },
}));

function built(inventory: Inventory, renderers: Renderers, previous?: Build): Build {
  return build({ inventory, options: OPTIONS, allocate: false, census, builder: "test" }, previous?.edition, previous, renderers);
}

function keyOf({ compilation }: Build, kind: string, namespace: string): string {
  for (const placement of compilation.placements.values()) {
    for (const placed of placement.layers)
      if (placed.kind === kind && JSON.stringify(placed.placement).includes(`"namespace":"${namespace}"`)) return placed.key;
  }
  throw new Error(`no ${kind} layer of ${namespace}`);
}

const fault = new Error("a generator fell over\nwith details");

/** Scopes of one namespace can't be rendered. */
const scopeFails: Renderers = {
  ...RENDERERS,
  scope: (prepared) => {
    if (prepared.context.placement.namespace === "shop") throw fault;
    return RENDERERS.scope(prepared);
  },
};

test("a layer that can't be rendered keeps its previous tree, its neighbours ship, and the edition says why", () => {
  const first = built(before, RENDERERS);
  const second = built(after, scopeFails, first);
  const [own, other] = [keyOf(first, "scope", "shop"), keyOf(first, "scope", "other")];
  assert.equal(lookUp(second.edition.layers, own), lookUp(first.edition.layers, own));
  assert.notEqual(lookUp(second.edition.layers, other)?.digest, lookUp(first.edition.layers, other)?.digest);
  assert.deepEqual(layerKeys(second.edition), layerKeys(first.edition));
  assert.deepEqual(second.faults, [fault]);
  const said = second.diagnostics.filter(({ code }) => code === "ALM0602");
  assert.deepEqual(
    said.map(({ key, message }) => [key.namespace, message]),
    [
      [
        "shop",
        `a fault of Almanac's own: what sidecars of namespace shop see (layer ${own}) can't be rendered, its nodes keep what they have: a generator fell over`,
      ],
    ],
  );
  assert.equal(second.edition.diagnostics.size, first.edition.diagnostics.size + 1);
});

test("when the fault is gone, the edition is what it would have been without", () => {
  const second = built(after, scopeFails, built(before, RENDERERS));
  const third = built(after, RENDERERS, second);
  const clean = built(after, RENDERERS);
  for (const key of layerKeys(clean.edition)) assert.equal(lookUp(third.edition.layers, key)?.digest, lookUp(clean.edition.layers, key)?.digest);
  assert.deepEqual(third.faults, []);
});

test("a scope that can't be prepared keeps all of its layers and its nodes their place, also from an edition that was loaded", () => {
  const unprepared: Renderers = {
    ...RENDERERS,
    prepareScope: (mesh, placement, general) => {
      if (placement.namespace === "shop") throw fault;
      return RENDERERS.prepareScope(mesh, placement, general);
    },
  };
  const first = built(before, RENDERERS);
  const input = { inventory: after, options: OPTIONS, allocate: false, census, builder: "test" };
  for (const previous of [first, undefined]) {
    const second = build(input, first.edition, previous, unprepared);
    assert.deepEqual(layerKeys(second.edition), layerKeys(first.edition));
    for (const kind of ["scope", "workload"]) {
      const key = keyOf(first, kind, "shop");
      assert.equal(lookUp(second.edition.layers, key), lookUp(first.edition.layers, key));
    }
    assert.equal(second.diagnostics.filter(({ code }) => code === "ALM0602").length, 1, "said once, although it is several layers");
  }
});

test("without a layer of before there is none: the node waits, others don't", () => {
  const only = built(before, scopeFails);
  assert.equal(lookUp(only.edition.layers, keyOf(built(before, RENDERERS), "scope", "shop")), undefined);
  assert.notEqual(lookUp(only.edition.layers, keyOf(only, "scope", "other")), undefined);
  assert.match(only.diagnostics.find(({ code }) => code === "ALM0602")?.message ?? "", /its nodes wait/);
});

for (const kind of ["vantage", "workload", "node"] as const) {
  test(`a fault in ${kind} layers leaves scope layers alone`, () => {
    const failing = {
      ...RENDERERS,
      [kind]: () => {
        throw fault;
      },
    } as Renderers;
    const result = built(before, failing);
    assert.notEqual(lookUp(result.edition.layers, keyOf(result, "scope", "shop")), undefined);
    assert.ok([...result.compilation.failed.values()].every(({ placed }) => placed.kind === kind));
  });
}

test("a fault of analysis stops nothing: what was said before stands, and that it is old is said too", () => {
  const { mesh, analysis } = built(after, RENDERERS);
  const broken = Object.defineProperty({ ...mesh }, "inventory", {
    get: () => {
      throw fault;
    },
  });
  const { diagnostics, faults, analysis: kept } = analyze(broken, analysis);
  assert.equal(kept, analysis);
  assert.deepEqual(diagnostics.slice(0, -1), analysis?.diagnostics);
  assert.equal(diagnostics.at(-1)?.code, "ALM0603");
  assert.deepEqual(faults, [fault]);
});
