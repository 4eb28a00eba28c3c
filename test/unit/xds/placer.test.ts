import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Layer, makeLayer } from "#core/edition/layer.ts";
import { type Loaded, loadedOf } from "#core/edition/loaded.ts";
import { nextEdition } from "#core/edition/next-edition.ts";
import { makeResource, NO_NEEDS } from "#core/edition/resource.ts";
import { emptyTrie } from "#core/lib/trie.ts";
import type { Directory } from "#core/node/directory.ts";
import { findFacts } from "#core/node/find-facts.ts";
import type { NodeMessage } from "#core/node/message.ts";
import { layerKey, place } from "#core/node/place.ts";
import type { PlacedLayer } from "#core/node/placement.ts";
import type { Rules } from "#core/node/rules.ts";
import { makePlacer } from "#core/xds/placer.ts";
import type { Seat } from "#core/xds/serving.ts";
import { NO_RULES } from "#test/support/rules.ts";

const NODE: NodeMessage = {
  id: "sidecar~10.0.0.1~web.shop~shop.svc.cluster.local",
  cluster: "web.shop",
  metadata: { NAMESPACE: "shop", CLUSTER_ID: "Kubernetes" },
  locality: { region: "", zone: "", subzone: "" },
  userAgentName: "envoy",
};

const EMPTY: Directory = { entries: [], byName: () => undefined, byAddress: () => undefined };

/** Rules of a mesh in which the node's scope was compiled, and the layers that they give it. */
function compiled(): { readonly rules: Rules; readonly layers: readonly PlacedLayer[] } {
  const facts = findFacts(NODE, EMPTY);
  assert.ok(!("error" in facts));
  const unplaced = place(facts, NO_RULES);
  assert.ok("wanted" in unplaced);
  const reads = { vantage: [], ownAddressListeners: [], bindsOwnAddress: false };
  const rules: Rules = { ...NO_RULES, scopeReads: { [layerKey("scope", unplaced.wanted)]: reads } };
  const placement = place(facts, rules);
  assert.ok("layers" in placement);
  return { rules, layers: placement.layers };
}

/** An edition in which each of some layers has one cluster, named by its kind. */
function editionOf(rules: Rules, layers: readonly PlacedLayer[], previous?: Loaded): Loaded {
  const made = new Map(
    layers.map(({ key, kind }): [string, Layer] => [
      key,
      makeLayer({ resources: [makeResource("clusters", kind, new Uint8Array([1]), NO_NEEDS, [])] }),
    ]),
  );
  const none = emptyTrie<never>();
  const parts = { inventory: none, layers: made, directory: EMPTY, rules, census: none, diagnostics: none, cause: [], builder: "test" };
  return loadedOf(nextEdition(previous?.edition, parts), previous);
}

/** A node that sits down; editions come later. */
async function seated() {
  const state: { loaded: Loaded | undefined; wanted: string[] } = { loaded: undefined, wanted: [] };
  const seat = await makePlacer({ loaded: () => state.loaded, want: ({ id }) => state.wanted.push(id) }).place(NODE);
  assert.ok(!("error" in seat));
  return { state, seat: seat as Seat };
}

describe("placing a node with the edition that is served", () => {
  it("serves all layers that fit, laid over each other", async () => {
    const { rules, layers } = compiled();
    const { state, seat } = await seated();
    assert.equal(seat.now(), undefined);
    state.loaded = editionOf(rules, layers);
    assert.deepEqual(seat.now()?.view.names("clusters"), ["scope", "workload"]);
    assert.equal(seat.now()?.view, seat.now()?.view, "one view for all who share it");
    assert.equal(seat.dialect, "envoy");
  });

  it("asks once for what is not compiled, and again when the node belongs elsewhere", async () => {
    const { rules, layers } = compiled();
    const { state, seat } = await seated();
    seat.now();
    seat.now();
    assert.equal(state.wanted.length, 1, "no edition yet");
    state.loaded = editionOf(NO_RULES, []);
    for (let turn = 0; turn < 3; turn++) assert.equal(seat.now(), undefined);
    assert.equal(state.wanted.length, 2, "nothing compiled for its scope");
    assert.equal(seat.afterTimeout(), undefined);
    state.loaded = editionOf(rules, layers.slice(0, 1), state.loaded);
    assert.equal(seat.now(), undefined);
    assert.equal(state.wanted.length, 3, "its workload layer is missing");
  });

  it("serves outbound layers alone when the workload's are late: never less security than meant", async () => {
    const { rules, layers } = compiled();
    const { state, seat } = await seated();
    state.loaded = editionOf(
      rules,
      layers.filter(({ kind }) => kind === "scope"),
    );
    assert.equal(seat.now(), undefined);
    assert.deepEqual(seat.afterTimeout()?.view.names("clusters"), ["scope"]);
  });

  it("refuses a node that can't be understood, with a reason", async () => {
    const placer = makePlacer({ loaded: () => undefined, want: () => {} });
    const refused = await placer.place({ ...NODE, id: "nonsense", metadata: { ISTIO_VERSION: "1.31.0" } });
    assert.ok("error" in refused && refused.error.includes("nonsense"));
  });
});
