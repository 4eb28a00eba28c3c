import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Head } from "#core/store/head.ts";
import { loadHead } from "#core/store/load.ts";
import { fileStore } from "#functions/io/fs.ts";
import { startChild } from "#test/support/child.ts";
import { contextOf } from "../unit/store/sample.ts";

const WRITER = fileURLToPath(new URL("racing-writer.ts", import.meta.url));
const TIMES = 25;

test("while two processes race to publish, a reader never sees a part of an edition, and no edition is lost", { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "almanac-race-"));
  const writers = ["one", "two"].map(async (name) => {
    const child = startChild(process.execPath, ["--import", "tsx", WRITER, folder, name, `${TIMES}`], { lifetimeMs: 50_000 });
    assert.equal(await child.exited, 0, child.stderr());
    return JSON.parse(child.stdout()) as { published: number };
  });
  let racing = true;
  const results = Promise.all(writers).finally(() => {
    racing = false;
  });
  const context = contextOf(fileStore(folder));
  let head: Head | undefined;
  let seen = 0;
  while (racing) {
    const read = await loadHead(context, head);
    assert.notEqual(read.outcome, "behind");
    if (read.outcome === "loaded") {
      head = read.head;
      assertWhole(head);
      seen++;
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.deepEqual(
    (await results).map(({ published }) => published),
    [TIMES, TIMES],
  );
  const last = await loadHead(context);
  assert.ok(last.outcome === "loaded");
  assert.equal(last.head.root.generation, 2 * TIMES);
  assert.equal(last.head.edition.generation, 2 * TIMES);
  assert.ok(seen > 5);
  await rm(folder, { recursive: true });
});

function assertWhole(head: Head): void {
  const view = head.loaded.view(["a"]);
  const texts = view.names("endpoints").map((name) => new TextDecoder().decode(head.loaded.blobs.bytes(view.get("endpoints", name)?.digest ?? "")));
  assert.equal(texts.length, 100);
  assert.equal(new Set(texts.map((text) => text.slice(text.indexOf(" ")))).size, 1);
}
