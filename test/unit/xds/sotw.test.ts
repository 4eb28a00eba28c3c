import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sketchView } from "#test/support/xds-edition.ts";
import { Talk } from "#test/support/xds-talk.ts";

const ONE = { clusters: { a: { v: 1 }, b: { v: 1 } } };
const TWO = { clusters: { a: { v: 1 }, b: { v: 2 } } };

function talkOf(sketch: Parameters<typeof sketchView>[0]): Talk {
  const talk = new Talk("sotw");
  talk.edition(sketchView(sketch));
  return talk;
}

describe("state of the world: versions and nonces", () => {
  it("A12 gives every response a nonce of its own, not made of the version", () => {
    const talk = talkOf(ONE);
    talk.ask("clusters");
    talk.ack("clusters");
    talk.edition(sketchView(TWO));
    talk.ack("clusters");
    talk.edition(sketchView(ONE));
    assert.equal(new Set(talk.answers.map(({ nonce }) => nonce)).size, 3);
    assert.equal(talk.answers[0]?.version, talk.answers[2]?.version);
    assert.ok(talk.answers.every(({ nonce, version }) => nonce !== "" && nonce !== version));
  });

  it("A13 treats the first request of a type as initial whatever nonce it carries", () => {
    assert.deepEqual(talkOf(ONE).ask("clusters", [], { nonce: "zzz" }), ["clusters a@1 b@1"]);
  });

  it("A14 A25 takes the last nonce without error as acknowledgement, and sends nothing for it", () => {
    const talk = talkOf(ONE);
    talk.ask("clusters");
    assert.deepEqual(talk.ack("clusters"), []);
    assert.deepEqual(talk.notes, [{ event: "ack", type: "clusters", version: talk.version("clusters") }]);
  });

  it("A15 A16 takes an error as refusal, whatever the version, keeps it, and waits for other content", () => {
    const talk = talkOf(ONE);
    talk.ask("clusters");
    assert.deepEqual(talk.ask("clusters", [], { error: "bad", version: talk.version("clusters") }), []);
    assert.equal(talk.session.channels.clusters?.nack?.message, "bad");
    assert.deepEqual(talk.wait(60_000), []);
    assert.deepEqual(talk.edition(sketchView(ONE)), []);
    assert.deepEqual(talk.edition(sketchView(TWO)), ["clusters a@1 b@2"]);
  });

  it("A17 A18 counts a refusal once for its nonce, and takes the names of each request", () => {
    const talk = talkOf({ endpoints: { a: { v: 1 }, b: { v: 1 } }, clusters: { a: { v: 1, endpoints: ["a"] }, b: { v: 1, endpoints: ["b"] } } });
    talk.ask("endpoints", ["a"]);
    const nonce = talk.nonce("endpoints");
    assert.deepEqual(talk.ask("endpoints", ["a"], { error: "bad" }), []);
    assert.deepEqual(talk.ask("endpoints", ["a", "b"], { error: "bad", nonce }), ["endpoints b@1"]);
    assert.equal(talk.session.channels.endpoints?.nacks, 1);
  });

  it("C11 offers what a client had before its refusal once more at most", () => {
    const talk = talkOf(ONE);
    talk.ask("clusters");
    talk.ack("clusters");
    talk.edition(sketchView(TWO));
    talk.nack("clusters");
    assert.deepEqual(talk.edition(sketchView(ONE)), ["clusters a@1 b@1"]);
    assert.deepEqual(talk.ack("clusters"), []);
    assert.equal(talk.session.channels.clusters?.nack, undefined);
  });

  it("A19 does not answer a superseded nonce, and loses none of its names", () => {
    const talk = talkOf({ routes: { r: { v: 1 }, s: { v: 1 } } });
    talk.ask("routes", ["r"]);
    const first = talk.nonce("routes");
    talk.edition(sketchView({ routes: { r: { v: 2 }, s: { v: 1 } } }));
    assert.deepEqual(talk.ask("routes", ["r", "s"], { nonce: first }), []);
    assert.deepEqual(talk.ask("routes", ["r", "s"]), ["routes s@1"]);
  });

  it("A19 answers a superseded nonce after all when the client never follows up", () => {
    const talk = talkOf({ routes: { r: { v: 1 }, s: { v: 1 } } });
    talk.ask("routes", ["r"]);
    talk.ask("routes", ["r", "s"], { nonce: "of nobody" });
    assert.deepEqual(talk.wait(29_999), []);
    assert.deepEqual(talk.wait(1), ["routes s@1"]);
  });

  it("A20 takes a second request with an empty nonce as a change of subscription", () => {
    const talk = talkOf({ routes: { r: { v: 1 }, s: { v: 1 } } });
    assert.deepEqual(talk.ask("routes", ["r"], { nonce: "", version: "" }), ["routes r@1"]);
    assert.deepEqual(talk.ask("routes", ["r", "s"], { nonce: "", version: "" }), ["routes s@1"]);
  });

  it("A21 leaves unchanged types alone", () => {
    const clusters = { a: { v: 1, endpoints: ["a"] } };
    const talk = talkOf({ clusters, endpoints: { a: { v: 1 } } });
    talk.ask("clusters");
    talk.ask("endpoints", ["a"]);
    talk.ack("clusters");
    talk.ack("endpoints");
    assert.deepEqual(talk.edition(sketchView({ clusters, endpoints: { a: { v: 2 } } })), ["endpoints a@2"]);
  });

  it("A22 A24 versions a set by its content alone, and holds back what a reconnecting client has", () => {
    const talk = talkOf(ONE);
    talk.ask("clusters");
    const again = talkOf(ONE);
    assert.deepEqual(again.ask("clusters", [], { version: talk.version("clusters") }), []);
    assert.deepEqual(again.edition(sketchView(TWO)), ["clusters a@1 b@2"]);
    assert.deepEqual(talkOf(TWO).ask("clusters", [], { version: talk.version("clusters") }), ["clusters a@1 b@2"]);
  });

  it("A24 sends a changed list of names although the version is known", () => {
    const talk = talkOf({ routes: { r: { v: 1 }, s: { v: 1 } } });
    talk.ask("routes", ["r"]);
    const version = talk.version("routes");
    assert.deepEqual(talkOf({ routes: { r: { v: 1 }, s: { v: 1 } } }).ask("routes", ["r", "s"], { version }), ["routes r@1 s@1"]);
  });

  it("A27 keeps one change in flight, and sends the newest after it", () => {
    const talk = talkOf(ONE);
    talk.ask("clusters");
    talk.ack("clusters");
    assert.deepEqual(talk.edition(sketchView({ clusters: { a: { v: 2 } } })), ["clusters a@2"]);
    assert.deepEqual(talk.edition(sketchView({ clusters: { a: { v: 3 } } })), []);
    assert.deepEqual(talk.edition(sketchView({ clusters: { a: { v: 4 } } })), []);
    assert.deepEqual(talk.ack("clusters"), ["clusters a@4"]);
  });

  it("A29 lets an unacknowledged change keep others back for 30 s after its bytes have left, no longer", () => {
    const talk = new Talk("sotw", { flowing: false });
    talk.edition(sketchView(ONE));
    talk.ask("clusters");
    talk.written();
    talk.edition(sketchView({ clusters: { a: { v: 2 } } }));
    assert.deepEqual(talk.wait(100_000), [], "its bytes have not left");
    talk.written();
    assert.deepEqual(talk.edition(sketchView({ clusters: { a: { v: 3 } } })), []);
    assert.deepEqual(talk.wait(29_999), []);
    assert.deepEqual(talk.wait(1), ["clusters a@3"]);
  });

  it("A29 answers added names although a change is in flight", () => {
    const talk = talkOf({ routes: { r: { v: 1 }, s: { v: 1 } } });
    talk.ask("routes", ["r"]);
    talk.ack("routes");
    talk.edition(sketchView({ routes: { r: { v: 2 }, s: { v: 1 } } }));
    assert.deepEqual(talk.ask("routes", ["r", "s"], { nonce: "" }), ["routes s@1"]);
  });
});

describe("state of the world: subscriptions", () => {
  it("A26 answers by the latest request when the client reads slowly", () => {
    const talk = new Talk("sotw", { flowing: false });
    talk.edition(sketchView({ clusters: { a: { v: 1 } }, routes: { r: { v: 1 } } }));
    talk.ask("clusters");
    assert.deepEqual(talk.ask("routes", ["r"]), []);
    assert.deepEqual(talk.ask("routes", [], { nonce: "" }), []);
    assert.deepEqual(talk.written(), []);
  });

  it("A31 counts a name that was dropped and asked for again as new", () => {
    const talk = talkOf({ routes: { r: { v: 1 }, s: { v: 1 } } });
    assert.deepEqual(talk.ask("routes", ["r"]), ["routes r@1"]);
    assert.deepEqual(talk.ask("routes", ["r", "s"]), ["routes s@1"]);
    assert.deepEqual(talk.ask("routes", ["r"]), []);
    assert.deepEqual(talk.ask("routes", ["s", "r"]), ["routes s@1"]);
  });

  it("A32 sends listeners and clusters completely, so that omission deletes", () => {
    const talk = talkOf({ clusters: { a: { v: 1 }, b: { v: 1 }, c: { v: 1 } } });
    talk.ask("clusters");
    talk.ack("clusters");
    assert.deepEqual(talk.edition(sketchView({ clusters: { a: { v: 1 }, c: { v: 2 } } })), ["clusters a@1 c@2"]);
  });

  it("A33 sends of other types only what changed", () => {
    const talk = talkOf({ routes: { r: { v: 1 }, s: { v: 1 } } });
    talk.ask("routes", ["r", "s"]);
    talk.ack("routes");
    assert.deepEqual(talk.edition(sketchView({ routes: { r: { v: 1 }, s: { v: 2 } } })), ["routes s@2"]);
  });

  it("A34 A35 knows the empty list as wildcard only while nothing was ever named", () => {
    const talk = talkOf(ONE);
    assert.deepEqual(talk.ask("clusters", []), ["clusters a@1 b@1"]);
    assert.deepEqual(talk.ask("clusters", ["*", "a"]), ["clusters a@1 b@1"]);
    assert.deepEqual(talk.ask("clusters", ["a"]), []);
    assert.deepEqual(talk.edition(sketchView({ clusters: { a: { v: 2 }, b: { v: 9 } } })), ["clusters a@2"]);
    assert.deepEqual(talk.ask("clusters", []), []);
    assert.deepEqual(talk.edition(sketchView({ clusters: { a: { v: 3 } } })), []);
  });

  it("A36 B3 takes an empty first request as silence where it is no wildcard", () => {
    const talk = talkOf({ ...ONE, endpoints: { a: { v: 1 } }, routes: { r: { v: 1 } } });
    assert.deepEqual(talk.ask("endpoints", []), []);
    assert.deepEqual(talk.ask("routes", []), []);
    const grpc = new Talk("sotw", { legacyWildcard: false });
    grpc.edition(sketchView(ONE));
    assert.deepEqual(grpc.ask("clusters", []), []);
    assert.deepEqual(grpc.ask("clusters", ["a"]), ["clusters a@1"]);
  });

  it("A37 is silent before there is an edition, and answers an empty one", () => {
    const talk = new Talk("sotw");
    assert.deepEqual(talk.ask("clusters"), []);
    assert.deepEqual(talk.edition(sketchView({})), ["clusters"]);
  });

  it("A38 answers what exists, remembers what does not, and sends it when it does", () => {
    const talk = talkOf({ routes: { r: { v: 1 } } });
    assert.deepEqual(talk.ask("routes", ["r", "later"]), ["routes r@1"]);
    assert.deepEqual(talk.ack("routes"), []);
    assert.deepEqual(talk.edition(sketchView({ routes: { r: { v: 1 }, later: { v: 1 } } })), ["routes later@1"]);
  });

  it("A38 answers a first request for a cluster that does not exist once, with nothing", () => {
    const talk = talkOf({});
    assert.deepEqual(talk.ask("clusters", ["nope"]), ["clusters"]);
    assert.deepEqual(talk.ack("clusters"), []);
    assert.deepEqual(talk.edition(sketchView({ clusters: { nope: { v: 1 }, other: { v: 1 } } })), ["clusters nope@1"]);
  });

  it("A39 answers endpoints that nobody assigns with an empty assignment", () => {
    const talk = talkOf({ clusters: { a: { v: 1, endpoints: ["a"] } }, endpoints: { stranger: { v: 1 } } });
    assert.deepEqual(talk.ask("endpoints", ["a"]), ["endpoints a=empty"]);
    assert.deepEqual(talk.ask("endpoints", ["a", "stranger"]), ["endpoints stranger=empty"]);
  });

  it("A2 A4 rejects a request without a type, and ignores types that are not served", () => {
    const talk = talkOf(ONE);
    assert.deepEqual(talk.ask({ url: "type.googleapis.com/bogus" }, ["x"]), []);
    assert.deepEqual(talk.ask("clusters"), ["clusters a@1 b@1"]);
    talk.ask({ url: "" });
    assert.equal(talk.rejections.length, 1);
    assert.deepEqual(talk.edition(sketchView(TWO)), []);
  });
});
