import assert from "node:assert/strict";
import { test } from "node:test";
import { entryKey } from "#core/edition/layer.ts";
import { makeResource, type Resource } from "#core/edition/resource.ts";
import { findFacts } from "#core/node/find-facts.ts";
import type { NodeMessage } from "#core/node/message.ts";
import { isRefused } from "#core/pipeline/accepted.ts";
import { type Answer, ask } from "#core/pipeline/ask.ts";
import type { Build } from "#core/pipeline/build.ts";
import { translate } from "#core/pipeline/translate.ts";
import { loadHead } from "#core/store/load.ts";
import { publish } from "#core/store/publish.ts";
import { makePlacer } from "#core/xds/placer.ts";
import { ORDER } from "#core/xds/resource-rules.ts";
import type { Placer, Serving } from "#core/xds/serving.ts";
import { brotli } from "#functions/io/compression.ts";
import { memoryStore } from "#functions/io/memory.ts";
import { systemRandom } from "#functions/io/random.ts";
import { caseNames } from "#test/oracle/cases.ts";
import { buildCase, sealer } from "#test/support/case-build.ts";
import { type CaseInput, readCaseInput } from "#test/support/case-input.ts";
import { anyEdit, perform } from "#test/support/edits.ts";
import { samples, shard } from "#test/support/thorough.ts";

/** What a front reads back from a store and serves a node is what `translate` says of the node, but for what Envoy would refuse. */

/** A front that was never told anything but what the store holds. */
async function frontOf({ edition }: Build): Promise<Placer> {
  const context = { store: memoryStore(), compression: brotli, sealer, random: systemRandom, now: () => 0 };
  assert.equal((await publish(context, undefined, edition)).outcome, "published");
  const result = await loadHead(context);
  assert.ok(result.outcome === "loaded");
  return makePlacer({ loaded: () => result.head.loaded, want: ({ id }) => assert.fail(`no layer fits ${id}`) });
}

/** What the node is given once it has asked for all that it needs; digests are made anew of the bytes. */
function answerOf({ view, blobs }: Serving): Answer {
  const found = new Map<string, Resource>();
  for (const { type } of ORDER) {
    for (const name of view.names(type)) {
      const { digest = "", needs } = view.get(type, name) ?? {};
      if (needs !== undefined) found.set(entryKey(type, name), makeResource(type, name, blobs.bytes(digest), needs, []));
    }
  }
  return ask(found);
}

function accepted(answer: Answer): Answer {
  const all = Object.values(answer).flatMap((resources) => [...resources.values()]);
  return ask(new Map(all.filter((one) => !isRefused(one)).map((one) => [entryKey(one.type, one.name), one])));
}

/** Digests by type and name, of whole resources: served ones don't say how they were cut. */
function digestsOf(answer: Answer): unknown {
  return Object.fromEntries(
    Object.entries(answer).map(([type, resources]) => [
      type,
      Object.fromEntries([...resources].map(([name, resource]) => [name, wholeDigest(resource)])),
    ]),
  );
}

function wholeDigest({ type, name, bytes, needs }: Resource): string {
  return makeResource(type, name, bytes, needs, []).digest;
}

async function checkNode(front: Placer, { mesh, directory }: Build, node: NodeMessage, what: string): Promise<void> {
  const seat = await front.place(node);
  if ("error" in seat) return assert.ok("error" in findFacts(node, directory), seat.error);
  const serving = seat.now();
  const translated = translate(mesh, node);
  assert.ok(serving !== undefined && !("error" in translated));
  assert.deepEqual(digestsOf(answerOf(serving)), digestsOf(accepted(translated)), `${node.id} after ${what}`);
}

async function check(input: CaseInput): Promise<void> {
  const census = input.census.map(({ node }) => ({ node }));
  const states = samples(anyEdit, 0, 40).map((edit) => perform(input.inventory, input, edit));
  for (const { inventory, what } of [{ inventory: input.inventory, what: "nothing" }, ...states]) {
    const built = buildCase({ options: input.options, census }, inventory);
    const front = await frontOf(built);
    for (const { node } of census) await checkNode(front, built, node, what);
  }
}

for (const name of shard(caseNames())) test(`${name}: what is served from a store is what translate says`, () => check(readCaseInput(name)));
