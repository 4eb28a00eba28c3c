import assert from "node:assert/strict";
import { afterEach, describe, it, mock } from "node:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { ruleOf } from "#core/xds/resource-rules.ts";
import type { Placer, Refused, Seat, Serving } from "#core/xds/serving.ts";
import { adsMetrics } from "#functions/ads/metrics.ts";
import { AdsStream } from "#functions/ads/stream.ts";
import { openLog } from "#functions/io/log.ts";
import { openMetrics } from "#functions/io/metrics.ts";
import { DiscoveryRequestSchema, type DiscoveryResponse, DiscoveryResponseSchema } from "#proto/envoy/service/discovery/v3/discovery_pb.js";
import { cluster, handServing } from "#test/support/hand-edition.ts";

const CDS = ruleOf("clusters").url;

const open: AdsStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

/** A stream on a wire that only takes notes. */
function strung(place: (id: string) => Partial<Seat> | Refused) {
  const sent: DiscoveryResponse[] = [];
  const ends: (string | undefined)[] = [];
  const left: (() => void)[] = [];
  const placer: Placer = {
    place: async (node) => {
      const seat = place(node.id);
      return "error" in seat
        ? (seat as Refused)
        : { dialect: "envoy", now: () => undefined, afterTimeout: () => undefined, recent: () => [], leave: () => {}, ...seat };
    },
  };
  const wire = {
    peer: "test",
    write: (bytes: Uint8Array, written: () => void) => {
      sent.push(fromBinary(DiscoveryResponseSchema, bytes));
      left.push(written);
    },
    end: (failure?: { message: string }) => ends.push(failure?.message),
  };
  const context = { placer, log: openLog({ write: () => {} }), metrics: adsMetrics(openMetrics()), placeTimeoutMs: 5_000, now: () => 0 };
  const stream = new AdsStream("sotw", wire, context);
  open.push(stream);
  const ask = (id: string | undefined, nonce = "") => {
    const node = id === undefined ? {} : { node: { id } };
    stream.receive(toBinary(DiscoveryRequestSchema, create(DiscoveryRequestSchema, { ...node, typeUrl: CDS, responseNonce: nonce })));
    return new Promise((resolve) => setImmediate(resolve));
  };
  const flush = () => {
    for (const written of left.splice(0)) written();
  };
  return { stream, sent, ends, ask, flush };
}

const edition = (generation: number, ...names: string[]): Serving =>
  handServing(
    generation,
    names.map((name) => cluster(name)),
  );

describe("a stream and its node", () => {
  it("keeps early requests until the node is placed, and answers when layers are there", async () => {
    let serving: Serving | undefined;
    const { stream, sent, ask } = strung(() => ({ now: () => serving }));
    await ask("n");
    await ask(undefined);
    assert.equal(sent.length, 0);
    assert.equal(stream.status?.waiting, true);
    serving = edition(1, "a");
    stream.refresh();
    assert.equal(sent[0]?.resources.length, 1);
  });

  it("serves what may be served without the missing layers once the place timeout has passed, and the rest when it is there", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      let serving: Serving | undefined;
      const { stream, sent, ask, flush } = strung(() => ({ now: () => serving, afterTimeout: () => edition(1, "outbound") }));
      await ask("n");
      mock.timers.tick(4_999);
      assert.equal(sent.length, 0);
      mock.timers.tick(1);
      assert.equal(sent[0]?.resources.length, 1);
      flush();
      serving = edition(2, "inbound", "outbound");
      stream.refresh();
      assert.equal(sent[1]?.resources.length, 2);
    } finally {
      mock.timers.reset();
    }
  });

  it("keeps its present answer while no layer of a newer edition fits", async () => {
    let serving: Serving | undefined = edition(1, "a");
    const { stream, sent, ask } = strung(() => ({ now: () => serving }));
    await ask("n");
    serving = undefined;
    stream.refresh();
    assert.equal(stream.status?.generation, 1);
    assert.equal(sent.length, 1);
  });

  it("A10 takes a node that says the same again for nothing, and places one that says something else", async () => {
    const placed: string[] = [];
    const { sent, ask, flush } = strung((id) => {
      placed.push(id);
      return { now: () => edition(placed.length, id) };
    });
    await ask("one");
    await ask("one", sent[0]?.nonce);
    assert.deepEqual([placed, sent.length], [["one"], 1]);
    flush();
    await ask("two", sent[0]?.nonce);
    flush();
    assert.deepEqual([placed, sent.length], [["one", "two"], 2]);
  });

  it("A75 writes nothing after the client is gone, and takes its leave once", async () => {
    let left = 0;
    const { stream, sent, ask, flush, ends } = strung(() => ({ now: () => edition(1, "a"), leave: () => void left++ }));
    await ask("n");
    stream.close();
    flush();
    stream.refresh();
    await ask("n");
    stream.close();
    assert.deepEqual([sent.length, left, ends], [1, 1, []]);
  });

  it("says why it refuses", async () => {
    const { ask, ends } = strung(() => ({ error: "the node id names no namespace" }));
    await ask("n");
    assert.deepEqual(ends, ["the node id names no namespace"]);
  });
});
