import assert from "node:assert/strict";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { parseSealKey, readOrMakeSealKey, readSealKey } from "#functions/io/seal-key.ts";

const KEY = new Uint8Array(32).fill(250);
let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-key-"));
});
after(() => rm(folder, { recursive: true }));

test("a key is 32 bytes in base64 or hexadecimal", () => {
  for (const encoding of ["base64", "base64url", "hex"] as const)
    assert.deepEqual(Buffer.from(parseSealKey(`${Buffer.from(KEY).toString(encoding)}\n`) as Uint8Array), Buffer.from(KEY));
  assert.ok("error" in parseSealKey("c2hvcnQ="));
  assert.ok("error" in parseSealKey(""));
});

test("a key is made once, for its owner's eyes alone, also when two make it at once", async () => {
  const path = join(folder, "new", "seal.key");
  assert.equal(await readSealKey(path), undefined);
  const keys = await Promise.all([readOrMakeSealKey(path), readOrMakeSealKey(path)]);
  assert.deepEqual(keys[0], keys[1]);
  assert.deepEqual(await readSealKey(path), keys[0]);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("a file that holds no key is told by its name", async () => {
  const path = join(folder, "bad.key");
  await writeFile(path, "not a key");
  assert.match(((await readOrMakeSealKey(path)) as { error: string }).error, /bad\.key/);
});
