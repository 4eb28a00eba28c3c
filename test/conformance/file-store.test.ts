import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileStore } from "#functions/io/fs.ts";
import { objectStoreConformance } from "./object-store.ts";

const folders: string[] = [];

after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-store-"));
  folders.push(folder);
  return folder;
}

objectStoreConformance("file system", async () => {
  const folder = await newFolder();
  return () => fileStore(folder);
});

describe("file system store", () => {
  const content = new TextEncoder().encode("content");

  test("makes its folder when it first writes", async () => {
    const folder = join(await newFolder(), "not", "there");
    assert.deepEqual(await fileStore(folder).get("root"), { outcome: "absent" });
    assert.deepEqual(await fileStore(folder).list(""), []);
    await fileStore(folder).putIfAbsent("root", content);
    assert.equal((await fileStore(folder).get("root")).outcome, "found");
  });

  test("leaves nothing behind but the objects", async () => {
    const folder = await newFolder();
    const put = await fileStore(folder).putIfAbsent("root", content);
    await fileStore(folder).putIfAbsent("root", content);
    assert.ok(put.outcome === "written");
    await fileStore(folder).swap("root", content, put.token);
    assert.deepEqual(await readdir(join(folder, ".working")), []);
  });

  test("what a writer that died left half-written is no object", async () => {
    const folder = await newFolder();
    await fileStore(folder).putIfAbsent("root", content);
    await writeFile(join(folder, ".working", "draft-of-the-dead"), "con");
    assert.deepEqual(
      (await fileStore(folder).list("")).map(({ key }) => key),
      ["root"],
    );
  });

  test("takes the lock of a process that is gone, at once", async () => {
    const folder = await newFolder();
    const put = await fileStore(folder).putIfAbsent("root", content);
    assert.ok(put.outcome === "written");
    await writeFile(join(folder, ".working", "root.lock"), JSON.stringify({ host: hostname(), pid: 2 ** 22 + 1, instance: "", lock: "" }));
    assert.equal((await fileStore(folder).swap("root", content, put.token)).outcome, "written");
  });

  test("takes a lock that was held for longer than any write takes", async () => {
    const folder = await newFolder();
    const put = await fileStore(folder).putIfAbsent("root", content);
    assert.ok(put.outcome === "written");
    const lock = join(folder, ".working", "root.lock");
    await writeFile(lock, JSON.stringify({ host: "another", pid: 1, instance: "", lock: "" }));
    await utimes(lock, 0, 0);
    assert.equal((await fileStore(folder).swap("root", content, put.token)).outcome, "written");
  });
});
