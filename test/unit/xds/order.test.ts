import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sketchView } from "#test/support/xds-edition.ts";
import { Talk } from "#test/support/xds-talk.ts";

/** A mesh with one listener and one route to a cluster `to`, at a version each. */
function mesh(to: string, v = 1, more: { endpoints?: number; listener?: number } = {}) {
  return sketchView({
    clusters: { [to]: { v, endpoints: [to] } },
    endpoints: { [to]: { v: more.endpoints ?? 1 } },
    listeners: { web: { v: more.listener ?? 1, routes: ["r"] } },
    routes: { r: { v: `to-${to}`, clusters: [to] } },
  });
}

/** A proxy that has all of `mesh("a")` and acknowledged it. */
function settled(protocol: "sotw" | "delta"): Talk {
  const talk = new Talk(protocol);
  talk.edition(mesh("a"));
  if (protocol === "sotw") {
    talk.ask("clusters");
    talk.ask("endpoints", ["a"]);
    talk.ack("clusters");
    talk.ack("endpoints");
    talk.ask("listeners");
    talk.ack("listeners");
    talk.ask("routes", ["r"]);
  } else {
    talk.tell("clusters");
    talk.tell("endpoints", { subscribe: ["a"] });
    talk.ack("clusters");
    talk.ack("endpoints");
    talk.tell("listeners");
    talk.ack("listeners");
    talk.tell("routes", { subscribe: ["r"] });
  }
  talk.ack("routes");
  return talk;
}

describe("make before break", () => {
  it("A43 state of the world: adds the cluster, moves the route, then takes the old cluster away", () => {
    const talk = settled("sotw");
    assert.deepEqual(talk.edition(mesh("b")), ["clusters a@1 b@1"]);
    assert.deepEqual(talk.ask("endpoints", ["a", "b"]), ["endpoints b@1"]);
    assert.deepEqual(talk.ack("clusters"), []);
    assert.deepEqual(talk.ack("endpoints"), ["routes r@to-b"]);
    assert.deepEqual(talk.ack("routes"), ["clusters b@1"]);
    assert.deepEqual(talk.ask("endpoints", ["b"]), []);
    assert.deepEqual(talk.ack("clusters"), []);
  });

  it("A43 delta: the same order", () => {
    const talk = settled("delta");
    assert.deepEqual(talk.edition(mesh("b")), ["clusters b@1"]);
    assert.deepEqual(talk.ack("clusters"), []);
    assert.deepEqual(talk.tell("endpoints", { subscribe: ["b"] }), ["endpoints b@1"]);
    assert.deepEqual(talk.ack("endpoints"), ["routes r@to-b"]);
    assert.deepEqual(talk.ack("routes"), ["clusters -a"]);
  });

  it("keeps a cluster with its last load assignment while a route that was acknowledged needs it", () => {
    const talk = settled("sotw");
    talk.edition(mesh("b"));
    assert.deepEqual(talk.ask("endpoints", ["b"]), ["endpoints b@1"]);
    assert.deepEqual(talk.ask("endpoints", ["a", "b"]), ["endpoints a@1"], "asked for anew, and no longer in the edition");
  });

  it("a refused route keeps the cluster of the one before it", () => {
    const talk = settled("sotw");
    talk.edition(mesh("b"));
    talk.ask("endpoints", ["a", "b"]);
    talk.ack("clusters");
    assert.deepEqual(talk.ack("endpoints"), ["routes r@to-b"]);
    assert.deepEqual(talk.nack("routes"), []);
    assert.deepEqual(talk.wait(600_000), []);
    assert.deepEqual(talk.edition(mesh("c")), ["clusters a@1 b@1 c@1"], "b too: a part of what was refused may be in use");
  });

  it("A44 sends the route after 5 s although the client never acknowledges the cluster", () => {
    const talk = settled("delta");
    talk.edition(mesh("b"));
    assert.deepEqual(talk.wait(4_999), []);
    assert.deepEqual(talk.wait(1), ["routes r@to-b"]);
    assert.deepEqual(talk.notes.at(-1), { event: "hold-expired", type: "routes", names: ["r"] });
    assert.deepEqual(talk.ack("routes"), [], "the clusters in flight are not acknowledged");
    assert.deepEqual(talk.ack("clusters"), ["clusters -a"]);
  });

  it("newer editions replace what is held and never extend the deadline", () => {
    const talk = settled("delta");
    talk.edition(mesh("b"));
    talk.wait(3_000);
    talk.edition(mesh("c"));
    assert.deepEqual(talk.wait(1_999), []);
    assert.deepEqual(talk.wait(1), ["routes r@to-c"]);
  });

  it("A44 a refused cluster ends the wait", () => {
    const talk = settled("delta");
    talk.edition(mesh("b"));
    assert.deepEqual(talk.nack("clusters"), ["routes r@to-b"]);
  });

  it("an unsubscription from the endpoints ends the wait", () => {
    const talk = settled("delta");
    talk.edition(mesh("b"));
    talk.tell("endpoints", { subscribe: ["b"] });
    assert.deepEqual(talk.ack("clusters"), []);
    assert.deepEqual(talk.tell("endpoints", { unsubscribe: ["b"] }), ["routes r@to-b"]);
  });

  it("waits for endpoints that were sent after the cluster, subscribed to or not", () => {
    const talk = settled("delta");
    talk.edition(mesh("b"));
    assert.deepEqual(talk.ack("clusters"), [], "nobody asked for the endpoints of b yet");
    talk.tell("endpoints", { subscribe: ["b"] });
    assert.deepEqual(talk.ack("endpoints"), ["routes r@to-b"]);
  });

  it("A37 a first answer of listeners waits as a whole: what it left out would be deleted", () => {
    const talk = new Talk("sotw");
    talk.edition(sketchView({ clusters: { a: { v: 1 } }, listeners: { waits: { v: 1, clusters: ["a"] }, free: { v: 1 } } }));
    assert.deepEqual(talk.ask("clusters"), ["clusters a@1"]);
    assert.deepEqual(talk.ask("listeners"), []);
    assert.deepEqual(talk.ack("clusters"), ["listeners free@1 waits@1"]);
  });

  it("a listener that waits stays as it was while its neighbours move on", () => {
    const talk = new Talk("sotw");
    talk.edition(sketchView({ clusters: { a: { v: 1 } }, listeners: { l: { v: 1, clusters: ["a"] }, m: { v: 1 } } }));
    talk.ask("clusters");
    talk.ack("clusters");
    talk.ask("listeners");
    talk.ack("listeners");
    const next = sketchView({ clusters: { a: { v: 1 }, b: { v: 1 } }, listeners: { l: { v: 2, clusters: ["b"] }, m: { v: 2 } } });
    assert.deepEqual(talk.edition(next), ["clusters a@1 b@1", "listeners l@1 m@2"]);
    talk.ack("clusters");
    assert.deepEqual(talk.ack("listeners"), ["listeners l@2 m@2"]);
  });

  it("B3 clients that name their clusters never wait, and drop the old one by themselves", () => {
    const talk = new Talk("sotw", { legacyWildcard: false });
    talk.edition(mesh("a"));
    talk.ask("listeners", ["web"]);
    talk.ack("listeners");
    talk.ask("routes", ["r"]);
    talk.ack("routes");
    talk.ask("clusters", ["a"]);
    talk.ack("clusters");
    talk.ask("endpoints", ["a"]);
    talk.ack("endpoints");
    assert.deepEqual(talk.edition(mesh("b")), ["routes r@to-b"]);
    assert.deepEqual(talk.ack("routes"), [], "the old cluster is not taken away under the client");
    assert.deepEqual(talk.ask("clusters", ["a", "b"]), ["clusters a@1 b@1"]);
    assert.deepEqual(talk.ask("clusters", ["b"]), []);
    assert.deepEqual(talk.wait(60_000), []);
  });

  it("B3 a cluster that a client goes on naming is taken away 5 s after nothing needs it", () => {
    const talk = new Talk("sotw", { legacyWildcard: false });
    talk.edition(mesh("a"));
    talk.ask("routes", ["r"]);
    talk.ack("routes");
    talk.ask("clusters", ["a"]);
    talk.ack("clusters");
    talk.edition(mesh("b"));
    talk.ack("routes");
    assert.deepEqual(talk.wait(4_999), []);
    assert.deepEqual(talk.wait(1), ["clusters"]);
  });
});

describe("warming", () => {
  it("A40 endpoints follow a changed cluster unasked, although they did not change", () => {
    for (const protocol of ["sotw", "delta"] as const) {
      const talk = settled(protocol);
      const expected = protocol === "sotw" ? "clusters a@2" : "clusters a@2";
      assert.deepEqual(talk.edition(mesh("a", 2)), [expected, "endpoints a@1"]);
      assert.deepEqual(talk.ack("clusters"), []);
      assert.deepEqual(talk.ack("endpoints"), []);
      assert.deepEqual(talk.ack("endpoints"), [], "and only once");
    }
  });

  it("A41 routes are answered again when they are asked for after listeners, once", () => {
    const talk = settled("sotw");
    assert.deepEqual(talk.edition(mesh("a", 1, { listener: 2 })), ["listeners web@2"]);
    assert.deepEqual(talk.ask("routes", ["r"]), ["routes r@to-a"]);
    talk.ack("routes");
    assert.deepEqual(talk.ask("routes", ["r"]), []);
  });

  it("A42 sends one order, whatever changes", () => {
    const talk = settled("sotw");
    const sketch = (v: number) => ({
      clusters: { a: { v, endpoints: ["a"] } },
      endpoints: { a: { v } },
      listeners: { web: { v, routes: ["r"] } },
      routes: { r: { v } },
      secrets: { s: { v } },
    });
    talk.ask("secrets", ["s"]);
    const lines = talk.edition(sketchView(sketch(7)));
    assert.deepEqual(
      lines.map((line) => line.split(" ")[0]),
      ["clusters", "endpoints", "listeners", "routes", "secrets"],
    );
  });

  it("A6 a refused type holds no other back", () => {
    const talk = settled("sotw");
    talk.edition(mesh("a", 2));
    talk.ack("endpoints");
    talk.nack("clusters");
    assert.deepEqual(talk.edition(mesh("a", 2, { endpoints: 2 })), ["endpoints a@2"]);
  });

  it("A26 A74 makes nothing while bytes have not left, and then from what is newest", () => {
    const talk = new Talk("sotw", { flowing: false });
    talk.edition(sketchView({ clusters: { a: { v: 1 } }, listeners: {} }));
    talk.ask("clusters");
    talk.ask("listeners");
    for (let v = 2; v < 100; v++) assert.deepEqual(talk.edition(sketchView({ clusters: { a: { v } }, listeners: { l: { v } } })), []);
    assert.deepEqual(talk.written(), ["clusters a@99"]);
    assert.deepEqual(talk.written(), ["listeners l@99"]);
  });
});
