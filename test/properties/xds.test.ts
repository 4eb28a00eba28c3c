import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { ResourceType } from "#core/edition/resource.ts";
import type { View } from "#core/edition/view.ts";
import type { Input } from "#core/xds/input.ts";
import type { Answer } from "#core/xds/output.ts";
import { openSession, type Protocol, type Session } from "#core/xds/session.ts";
import { step } from "#core/xds/step.ts";
import { ClientModel } from "#test/support/xds-client-model.ts";
import { sketchView } from "#test/support/xds-edition.ts";

const CLUSTERS = ["a", "b", "c", "d"] as const;
const ROUTES = ["r", "s"] as const;

/** An edition in which every name that is needed exists. */
const edition = fc
  .record({
    clusters: fc.dictionary(fc.constantFrom(...CLUSTERS), fc.nat(2), { minKeys: 1 }),
    endpoints: fc.nat(2),
    targets: fc.array(fc.nat(), { minLength: 2, maxLength: 2 }),
    listeners: fc.array(fc.constantFrom(...ROUTES), { minLength: 0, maxLength: 2 }),
  })
  .map(({ clusters, endpoints, targets, listeners }) => {
    const names = Object.keys(clusters).sort();
    const target = (index: number) => names[(targets[index] ?? 0) % names.length] ?? "";
    return sketchView({
      clusters: Object.fromEntries(names.map((name) => [name, { v: clusters[name] ?? 0, endpoints: [name] }])),
      endpoints: Object.fromEntries(names.map((name) => [name, { v: endpoints }])),
      listeners: Object.fromEntries([...new Set(listeners)].map((route) => [`l-${route}`, { v: 1, routes: [route] }])),
      routes: Object.fromEntries(ROUTES.map((route, index) => [route, { v: `to-${target(index)}`, clusters: [target(index)] }])),
    });
  });

/** One with a listener: an empty set has no fresh content, and who refused the last removal is not asked again for the same. */
const served = edition.filter(({ names }) => names("listeners").length > 0);

type Act = { readonly act: "edition"; readonly view: View } | { readonly act: "deliver" | "request" | "written" | "turn" | "refuse" | "reconnect" };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 2, arbitrary: edition.map((view): Act => ({ act: "edition", view })) },
  { weight: 8, arbitrary: fc.constantFrom<Act>({ act: "deliver" }, { act: "request" }, { act: "written" }, { act: "turn" }) },
);
const rudeAct = fc.oneof({ weight: 8, arbitrary: act }, { weight: 1, arbitrary: fc.constantFrom<Act>({ act: "refuse" }, { act: "reconnect" }) });

/** One server and one client, with a wire between them that delivers when told to. */
class World {
  session: Session;
  client: ClientModel;
  view: View;
  now = 0;
  wakeAt: number | undefined;
  /** Editions before, newest first, as far as the server remembers. */
  recent: readonly View[] = [];
  readonly onWire: Answer[] = [];
  unwritten = 0;
  sends = 0;
  readonly #protocol: Protocol;
  readonly #memory: number;

  constructor(protocol: Protocol, first: View, memory = 0) {
    this.#protocol = protocol;
    this.#memory = memory;
    this.view = first;
    this.client = new ClientModel(protocol);
    this.session = openSession(protocol, { legacyWildcard: true }, 0);
    this.#take({ kind: "edition", now: 0, view: first });
  }

  do(what: Act): void {
    switch (what.act) {
      case "edition":
        this.recent = [this.view, ...this.recent].slice(0, this.#memory);
        this.view = what.view;
        this.#take({ kind: "edition", now: this.now, view: what.view });
        return;
      case "deliver":
      case "refuse": {
        const answer = this.onWire.shift();
        if (answer !== undefined) this.client.receive(answer, what.act === "refuse");
        return;
      }
      case "request": {
        const request = this.client.requests.shift();
        if (request !== undefined) this.#take({ ...request, now: this.now });
        return;
      }
      case "written":
        if (this.unwritten === 0) return;
        this.unwritten -= 1;
        this.#take({ kind: "written", now: this.now });
        return;
      case "turn":
        for (const each of ["written", "request", "deliver"] as const) this.do({ act: each });
        return;
      case "reconnect": {
        this.onWire.length = 0;
        this.unwritten = 0;
        this.client = new ClientModel(this.#protocol, this.client);
        this.session = openSession(this.#protocol, { legacyWildcard: true }, this.now);
        this.#take({ kind: "edition", now: this.now, view: this.view, recent: this.recent });
      }
    }
  }

  get idle(): boolean {
    return this.onWire.length + this.client.requests.length + this.unwritten === 0;
  }

  /** Everything on its way arrives. */
  settle(): void {
    for (let turn = 0; !this.idle; turn++) {
      if (turn > 1_000) throw new Error("no end of messages");
      this.do({ act: "turn" });
    }
  }

  /** Time passes until nothing more would happen by time alone. */
  wait(): void {
    this.settle();
    for (let turn = 0; this.wakeAt !== undefined; turn++) {
      if (turn > 100) throw new Error("no end of waking");
      this.now = this.wakeAt;
      this.wakeAt = undefined;
      this.#take({ kind: "tick", now: this.now });
      this.settle();
    }
  }

  #take(input: Input): void {
    const [session, outputs] = step(this.session, input);
    this.session = session;
    for (const output of outputs) {
      if (output.kind === "wake") this.wakeAt = output.at;
      if (output.kind !== "send") continue;
      this.sends += 1;
      this.unwritten += 1;
      this.onWire.push(output.answer);
    }
  }
}

function digests(client: ClientModel, type: ResourceType): Record<string, string> {
  return Object.fromEntries([...client.held[type]].map(([name, { digest }]): [string, string] => [name, digest]).sort());
}

/** What a client should have in the end: all clusters and listeners, and what these name. */
function wanted({ names, get }: View, type: ResourceType): Record<string, string> {
  const needed = {
    clusters: names("clusters"),
    listeners: names("listeners"),
    endpoints: names("clusters").flatMap((name) => get("clusters", name)?.needs.endpoints ?? []),
    routes: names("listeners").flatMap((name) => get("listeners", name)?.needs.routes ?? []),
  }[type as "clusters"];
  return Object.fromEntries([...needed].sort().map((name) => [name, get(type, name)?.digest ?? "empty"]));
}

const TYPES = ["clusters", "endpoints", "listeners", "routes"] as const;

describe("any interleaving of the protocol's steps", () => {
  for (const protocol of ["sotw", "delta"] as const) {
    it(`${protocol}: ends at the newest edition, warm, with nonces used once and no chatter`, () => {
      fc.assert(
        fc.property(edition, fc.array(act, { maxLength: 80 }), (first, acts) => {
          const world = new World(protocol, first);
          for (const what of acts) world.do(what);
          world.settle();
          for (const type of TYPES) assert.deepEqual(digests(world.client, type), wanted(world.view, type), type);
          assert.deepEqual([...world.client.warming], []);
          assert.equal(new Set(world.client.nonces).size, world.client.nonces.length);
          const before = world.sends;
          world.wait();
          assert.equal(world.sends, before, "time alone sends nothing");
        }),
        { numRuns: 300, includeErrorInReport: true },
      );
    });

    it(`${protocol}: no route in use ever names a cluster that the client has not, or not yet`, () => {
      fc.assert(
        fc.property(edition, fc.array(act, { maxLength: 80 }), (first, acts) => {
          const world = new World(protocol, first);
          world.settle();
          for (const what of acts) {
            world.do(what);
            assert.deepEqual(world.client.broken(), []);
          }
        }),
        { numRuns: 300, includeErrorInReport: true },
      );
    });

    it(`${protocol}: refusals and broken streams are survived`, () => {
      fc.assert(
        fc.property(edition, fc.array(rudeAct, { maxLength: 80 }), served, (first, acts, last) => {
          const world = new World(protocol, first);
          for (const what of acts) world.do(what);
          world.settle();
          // What was refused is not sent again: fresh content for everything.
          const fresh = (v: number) =>
            sketchView({
              clusters: Object.fromEntries(last.names("clusters").map((name) => [name, { v, endpoints: [name] }])),
              endpoints: Object.fromEntries(last.names("clusters").map((name) => [name, { v }])),
              listeners: Object.fromEntries(
                last.names("listeners").map((name) => [name, { v, routes: last.get("listeners", name)?.needs.routes ?? [] }]),
              ),
              routes: Object.fromEntries(last.names("routes").map((name) => [name, { v, clusters: last.get("routes", name)?.needs.clusters ?? [] }])),
            });
          world.do({ act: "edition", view: fresh(77) });
          world.wait();
          for (const type of TYPES) assert.deepEqual(digests(world.client, type), wanted(world.view, type), type);
        }),
        { numRuns: 300, includeErrorInReport: true },
      );
    });
  }

  for (const { protocol, memory } of [
    { protocol: "delta", memory: 0 },
    { protocol: "delta", memory: 100 },
    { protocol: "sotw", memory: 100 },
  ] as const) {
    // State of the world says only which set a client has: a set that was made for a move and never was an edition's can't be recognised.
    const when = protocol === "delta" ? "streams break" : "streams at rest break";
    it(`${protocol}: nor when ${when} and editions pass meanwhile, with ${memory} editions before remembered`, () => {
      const breaking = fc.oneof({ weight: 8, arbitrary: act }, { weight: 1, arbitrary: fc.constant<Act>({ act: "reconnect" }) });
      fc.assert(
        fc.property(edition, fc.array(breaking, { maxLength: 80 }), (first, acts) => {
          const world = new World(protocol, first, memory);
          world.settle();
          for (const what of acts) {
            if (what.act === "reconnect" && protocol === "sotw") world.settle();
            world.do(what);
            assert.deepEqual(world.client.broken(), []);
          }
        }),
        { numRuns: 300, includeErrorInReport: true },
      );
    });
  }

  it("state of the world and delta end alike", () => {
    fc.assert(
      fc.property(edition, fc.array(act, { maxLength: 60 }), (first, acts) => {
        const worlds = (["sotw", "delta"] as const).map((protocol) => new World(protocol, first));
        for (const world of worlds) {
          for (const what of acts) world.do(what);
          world.settle();
        }
        const [sotw, delta] = worlds.map(({ client }) => TYPES.map((type) => digests(client, type)));
        assert.deepEqual(sotw, delta);
      }),
      { numRuns: 200, includeErrorInReport: true },
    );
  });
});
