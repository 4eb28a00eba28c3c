import assert from "node:assert/strict";
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { names, newFolder, object, problems, put, start, startIn, until } from "#test/support/watched-folder.ts";

test("a broken file keeps what it held, with a Diagnostic that names the line", async () => {
  const watched = await start({ "a.yaml": object("a"), "b.yaml": object("b") });
  put(join(watched.dir, "a.yaml"), "apiVersion: v1\nkind: [Service\n");
  await until(() => problems(watched) === 1, "diagnostic");
  assert.equal(names(watched), "a b");
  assert.equal(watched.told.at(-1)?.diagnostics[0]?.line, 3);
  put(join(watched.dir, "a.yaml"), object("a"));
  await until(() => problems(watched) === 0, "repaired");
});

/** A link to itself can be read by nobody, root included. */
function makeUnreadable(path: string): void {
  rmSync(path, { recursive: true, force: true });
  symlinkSync(path, path);
}

test("a file that can't be read keeps what it held", async () => {
  const watched = await start({ "a.yaml": object("a"), "b.yaml": object("b") }, { rescan: 50 });
  makeUnreadable(join(watched.dir, "a.yaml"));
  await until(() => problems(watched) === 1, "diagnostic");
  assert.equal(names(watched), "a b");
  assert.deepEqual([watched.told.at(-1)?.listed, watched.told.at(-1)?.complete], [true, true], "what it held is known");
});

test("a folder that can't be read keeps what it held", async () => {
  const watched = await start({ "a.yaml": object("a"), "sub/b.yaml": object("b") }, { rescan: 50 });
  makeUnreadable(watched.dir);
  await until(() => problems(watched) > 0, "diagnostic");
  assert.equal(names(watched), "a b");
  assert.deepEqual([watched.told.at(-1)?.listed, watched.told.at(-1)?.complete], [true, true]);
});

test("what can't be read from the start is told apart from what is not there", async () => {
  const broken = await start({ "a.yaml": object("a"), "b.yaml": "kind: [" });
  assert.deepEqual([names(broken), broken.told[0]?.listed, broken.told[0]?.complete], ["a", true, false]);
  put(join(broken.dir, "b.yaml"), object("b"));
  await until(() => broken.told.at(-1)?.complete === true, "repaired");

  const parent = newFolder();
  const missing = await startIn(join(parent, "late"), { rescan: 50 });
  assert.deepEqual([names(missing), missing.told[0]?.listed, problems(missing)], ["", false, 1]);
  put(join(parent, "late/a.yaml"), object("a"));
  await until(() => missing.told.at(-1)?.listed === true && names(missing) === "a", "found");
});

test("a folder that vanishes keeps what it held, and is found again", async () => {
  const parent = newFolder();
  put(join(parent, "dir/a.yaml"), object("a"));
  const watched = await startIn(join(parent, "dir"), { rescan: 50 });
  renameSync(join(parent, "dir"), join(parent, "away"));
  await until(() => problems(watched) === 1, "diagnostic");
  assert.equal(names(watched), "a");
  put(join(parent, "dir/b.yaml"), object("b"));
  await until(() => problems(watched) === 0 && names(watched) === "b", "found again");
  put(join(parent, "dir/c.yaml"), object("c"));
  await until(() => names(watched) === "b c", "watched again");
});
