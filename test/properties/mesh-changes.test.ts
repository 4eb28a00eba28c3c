import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { visit } from "#core/lib/trie.ts";
import { type ResolvedMesh, resolveMesh } from "#core/model/resolve/mesh.ts";
import { resolveDirectory } from "#core/model/resolve/workloads/directory.ts";
import { applyChange, type Inventory, objectsOf } from "#core/sources/inventory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { CASES, caseNames } from "#test/oracle/cases.ts";
import { readOracleCase } from "#test/support/oracle-case.ts";
import { OPTIONS } from "#test/support/resolve.ts";
import { holds, isThorough } from "#test/support/thorough.ts";

/** Resolving change by change gives what resolving the last state at once gives. */

const cases = caseNames(isThorough ? [] : ["discovery"]).map((name) => {
  const { inventory, meshConfig, networks } = readOracleCase(join(CASES, name));
  return { toString: () => name, inventory, options: { ...OPTIONS, meshConfig, networks } };
});

const MUTABLE = ["EndpointSlice", "Pod", "WorkloadEntry", "Service", "ServiceEntry", "Node", "Namespace", "PeerAuthentication"] as const;

/** A change of the object that `pick` falls on: among those that are there, or that went. */
const deed = fc.record({
  kind: fc.constantFrom(...MUTABLE),
  pick: fc.nat(),
  does: fc.constantFrom("remove" as const, "restore" as const, "relabel" as const, "move" as const, "turn" as const),
});
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

interface State {
  readonly inventory: Inventory;
  readonly gone: readonly SourceObject[];
}

function perform({ inventory, gone }: State, { kind, pick, does }: Deed): State {
  const from: readonly SourceObject[] = does === "restore" ? gone : objectsOf(inventory, kind);
  const object = from[pick % from.length];
  if (object === undefined) return { inventory, gone };
  if (does === "remove") return { inventory: applyChange(inventory, { type: "delete", key: object.key }), gone: [...gone, object] };
  const next = does === "restore" ? object : altered(object, does, pick);
  return { inventory: applyChange(inventory, { type: "upsert", object: next }), gone: gone.filter((one) => one !== object) };
}

function altered(object: SourceObject, does: "relabel" | "move" | "turn", pick: number): SourceObject {
  if (does === "relabel") return { ...object, labels: { ...object.labels, version: `v${pick % 3}` } };
  const { spec } = object as { spec: Record<string, unknown> };
  const change: Readonly<Record<string, Record<string, unknown>>> =
    does === "move"
      ? { Pod: { podIP: `10.99.0.${pick % 5}` }, WorkloadEntry: { address: `10.98.0.${pick % 5}` } }
      : { Pod: { ready: pick % 2 === 0 }, EndpointSlice: { endpoints: (spec.endpoints as unknown[] | undefined)?.slice(pick % 2) } };
  return { ...object, spec: { ...spec, ...change[object.key.kind] } } as SourceObject;
}

/** The same inventory, but none of its lists is known to anybody. */
function unknown(inventory: Inventory): Inventory {
  return { ...inventory, shelves: Object.fromEntries(Object.entries(inventory.shelves).map(([kind, shelf]) => [kind, [...shelf]])) };
}

/** What others read of a mesh. */
function contentOf(mesh: ResolvedMesh): unknown {
  const entriesOf = <V>(trie: Parameters<typeof visit<V>>[0]): ReadonlyMap<string, V> => {
    const found = new Map<string, V>();
    visit(trie, (name, value) => found.set(name, value));
    return found;
  };
  const { services, endpoints, facts, claims, networkGateways } = mesh;
  const directory = [...resolveDirectory(mesh).entries].map((entry) => JSON.stringify(entry)).sort();
  return { services, endpoints: entriesOf(endpoints), facts: entriesOf(facts), claims: entriesOf(claims), networkGateways, directory };
}

test("a mesh resolved change by change equals one resolved at once", () => {
  holds(
    fc.property(
      fc.constantFrom(...cases),
      fc.array(fc.array(deed, { minLength: 1, maxLength: 3 }), { maxLength: 8 }),
      ({ inventory, options }, batches) => {
        let state: State = { inventory, gone: [] };
        let mesh = resolveMesh(inventory, options);
        for (const batch of batches) {
          state = batch.reduce(perform, state);
          mesh = resolveMesh(state.inventory, options, mesh);
        }
        assert.deepEqual(contentOf(mesh), contentOf(resolveMesh(unknown(state.inventory), options)));
      },
    ),
    150,
    5_000,
  );
});

test("what a change has no part in keeps its identity", () => {
  holds(
    fc.property(fc.constantFrom(...cases), deed, ({ inventory, options }, one) => {
      const before = resolveMesh(inventory, options);
      const after = resolveMesh(perform({ inventory, gone: [] }, one).inventory, options, before);
      const known = new Map<string, unknown>();
      visit(before.facts, (name, facts) => known.set(name, facts));
      visit(after.facts, (name, facts) => {
        const earlier = known.get(name);
        if (earlier === undefined || earlier === facts) return;
        assert.notDeepEqual(facts, earlier, `facts of ${name} were made anew, but equal`);
      });
    }),
    100,
    5_000,
  );
});
