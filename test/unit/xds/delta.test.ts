import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sketchView } from "#test/support/xds-edition.ts";
import { Talk } from "#test/support/xds-talk.ts";

const ONE = { clusters: { a: { v: 1 }, b: { v: 1 } } };
const TWO = { clusters: { a: { v: 1 }, b: { v: 2 } } };

function talkOf(sketch: Parameters<typeof sketchView>[0]): Talk {
  const talk = new Talk("delta");
  talk.edition(sketchView(sketch));
  return talk;
}

describe("delta: acknowledgements", () => {
  it("A49 takes an empty nonce for neither acknowledgement nor refusal", () => {
    const talk = talkOf(ONE);
    talk.tell("clusters", { subscribe: ["a"] });
    talk.tell("clusters", { subscribe: ["b"] });
    assert.deepEqual(talk.notes, []);
    talk.ack("clusters");
    assert.equal(talk.notes.length, 1);
  });

  it("A49 takes subscriptions with an acknowledgement and with a refusal", () => {
    const talk = talkOf(ONE);
    talk.tell("clusters", { subscribe: ["a"] });
    assert.deepEqual(talk.tell("clusters", { subscribe: ["b"], nonce: talk.nonce("clusters"), error: "bad" }), ["clusters b@1"]);
    assert.equal(talk.session.channels.clusters?.nacks, 1);
  });

  it("A50 takes subscriptions whatever the nonce", () => {
    const talk = talkOf(ONE);
    talk.tell("clusters", { subscribe: ["a"] });
    assert.deepEqual(talk.tell("clusters", { subscribe: ["b"], nonce: "of nobody" }), ["clusters b@1"]);
  });

  it("A60 A16 sends a refused version once, and other content at once", () => {
    const talk = talkOf(ONE);
    talk.tell("clusters");
    talk.nack("clusters");
    assert.deepEqual(talk.wait(60_000), []);
    assert.deepEqual(talk.edition(sketchView(TWO)), ["clusters b@2"]);
  });
});

describe("delta: subscriptions", () => {
  it("A51 A61 sends what changed and nothing else", () => {
    const talk = talkOf({ clusters: { a: { v: 1 }, b: { v: 1 }, c: { v: 1 } } });
    assert.deepEqual(talk.tell("clusters"), ["clusters a@1 b@1 c@1"]);
    talk.ack("clusters");
    assert.deepEqual(talk.edition(sketchView({ clusters: { a: { v: 1 }, b: { v: 2 }, c: { v: 1 } } })), ["clusters b@2"]);
    talk.ack("clusters");
    assert.deepEqual(talk.edition(sketchView({ clusters: { a: { v: 1 }, b: { v: 2 } } })), ["clusters -c"]);
  });

  it("A52 skips held versions, sends others, and removes what is gone or not subscribed to", () => {
    const talk = talkOf(TWO);
    assert.deepEqual(talk.tell("clusters", { held: { a: "a@1", b: "b@1", gone: "gone@1" } }), ["clusters b@2"]);
    talk.tell("listeners");
    talk.tell("routes", { subscribe: ["r"] });
    assert.deepEqual(talk.wait(5_000), ["clusters -gone"], "kept until listeners and routes are known, or 5 s");
    const named = talkOf({ routes: { r: { v: 1 }, s: { v: 1 } } });
    assert.deepEqual(named.tell("routes", { subscribe: ["r", "s"], held: { r: "r@1", other: "other@1" } }), ["routes s@1 -other"]);
  });

  it("A52 reads the versions that a client brings along in the first request only", () => {
    const talk = talkOf(ONE);
    talk.tell("clusters", { subscribe: ["a"] });
    assert.deepEqual(talk.tell("clusters", { subscribe: ["b"], held: { b: "b@1" } }), ["clusters b@1"]);
  });

  it("A40 sends endpoints again at the first request although they are held: a cluster may have been warming", () => {
    const talk = talkOf({ clusters: { a: { v: 1, endpoints: ["a"] } }, endpoints: { a: { v: 1 } } });
    assert.deepEqual(talk.tell("clusters", { held: { a: "a@1" } }), ["clusters"]);
    assert.deepEqual(talk.tell("endpoints", { subscribe: ["a"], held: { a: "a@1" } }), ["endpoints a@1"]);
  });

  it("A53 sends again what is subscribed to again", () => {
    const talk = talkOf(ONE);
    assert.deepEqual(talk.tell("clusters", { subscribe: ["a"] }), ["clusters a@1"]);
    assert.deepEqual(talk.tell("clusters", { subscribe: ["a"] }), ["clusters a@1"]);
  });

  it("A54 says at once that a name does not exist, and sends it when it does", () => {
    const talk = talkOf({});
    assert.deepEqual(talk.tell("clusters", { subscribe: ["x"] }), ["clusters -x"]);
    assert.deepEqual(talk.edition(sketchView({ clusters: { x: { v: 1 } } })), ["clusters x@1"]);
    talk.ack("clusters");
    assert.deepEqual(talk.edition(sketchView({})), ["clusters -x"]);
    talk.ack("clusters");
    assert.deepEqual(talk.edition(sketchView({ clusters: { x: { v: 1 } } })), ["clusters x@1"]);
  });

  it("A55 mixes wildcard and names", () => {
    const talk = talkOf(ONE);
    assert.deepEqual(talk.tell("clusters"), ["clusters a@1 b@1"]);
    assert.deepEqual(talk.tell("clusters", { subscribe: ["a"] }), ["clusters a@1"]);
    assert.deepEqual(talk.tell("clusters", { unsubscribe: ["a"] }), ["clusters a@1"]);
    assert.deepEqual(talk.tell("clusters", { subscribe: ["x"] }), ["clusters -x"]);
    assert.deepEqual(talk.tell("clusters", { unsubscribe: ["x"] }), ["clusters -x"]);
    assert.deepEqual(talk.tell("clusters", { subscribe: ["a"] }), ["clusters a@1"]);
    assert.deepEqual(talk.tell("clusters", { unsubscribe: ["*"] }), []);
    assert.deepEqual(talk.edition(sketchView({ clusters: { a: { v: 2 }, b: { v: 9 } } })), ["clusters a@2"]);
    talk.ack("clusters");
    assert.deepEqual(talk.tell("clusters", { subscribe: ["*"] }), ["clusters b@9"]);
  });

  it("A56 answers a first wildcard even if there is nothing, once", () => {
    const talk = talkOf({});
    assert.deepEqual(talk.tell("clusters"), ["clusters"]);
    assert.deepEqual(talk.ack("clusters"), []);
    assert.deepEqual(talk.edition(sketchView({})), []);
  });

  it("A57 does nothing for names that were never subscribed to, and subscribes before it unsubscribes", () => {
    const talk = talkOf(ONE);
    talk.tell("routes", { subscribe: ["r"] });
    assert.deepEqual(talk.tell("routes", { unsubscribe: ["q"] }), []);
    assert.deepEqual(talk.tell("clusters", { subscribe: ["a"], unsubscribe: ["a"] }), []);
  });

  it("A58 sends nothing for a name that was unsubscribed from, and remembers nothing of it", () => {
    const talk = talkOf(ONE);
    talk.tell("clusters", { subscribe: ["a", "b"] });
    assert.deepEqual(talk.tell("clusters", { unsubscribe: ["b"] }), []);
    assert.deepEqual(talk.edition(sketchView(TWO)), []);
    assert.equal(talk.session.channels.clusters?.offered.entries.size, 1);
  });

  it("A4 says of a type that is not served that its names do not exist", () => {
    const talk = talkOf(ONE);
    assert.deepEqual(talk.tell({ url: "bogus" }, { subscribe: ["x", "*"] }), ["bogus -x"]);
    assert.deepEqual(talk.tell("clusters"), ["clusters a@1 b@1"]);
  });

  it("A46 never takes an extension config away while it is subscribed to", () => {
    const talk = talkOf({ extensions: { wasm: { v: 1 } } });
    talk.tell("extensions", { subscribe: ["wasm"] });
    talk.ack("extensions");
    assert.deepEqual(talk.edition(sketchView({})), []);
    assert.deepEqual(talk.edition(sketchView({ extensions: { wasm: { v: 2 } } })), ["extensions wasm@2"]);
  });

  it("A97 says that a secret does not exist", () => {
    assert.deepEqual(talkOf({}).tell("secrets", { subscribe: ["cert"] }), ["secrets -cert"]);
  });
});

describe("delta: removals that were refused", () => {
  it("A60 are made again with the next change, and not before", () => {
    const talk = talkOf({ clusters: { a: { v: 1 }, c: { v: 1 } } });
    talk.tell("clusters");
    talk.ack("clusters");
    assert.deepEqual(talk.edition(sketchView({ clusters: { a: { v: 2 } } })), ["clusters a@2 -c"]);
    talk.nack("clusters");
    assert.deepEqual(talk.wait(60_000), []);
    assert.deepEqual(talk.edition(sketchView({ clusters: { a: { v: 3 } } })), ["clusters a@3 -c"]);
    talk.ack("clusters");
    assert.deepEqual(talk.edition(sketchView({ clusters: { a: { v: 4 } } })), ["clusters a@4"]);
  });
});
