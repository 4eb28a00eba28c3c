import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { type FolderContent, readFolder } from "#functions/io/folder.ts";
import { names, newFolder, object, pause, put, start, startIn, until } from "#test/support/watched-folder.ts";

test("tells the first content at once, in order of paths", async () => {
  const watched = await start({
    "b.yaml": object("b"),
    "sub/c.yml": object("c"),
    "a.json": JSON.stringify({ kind: "X", metadata: { name: "a" } }),
    "x.txt": "no",
  });
  assert.equal(names(watched), "a b c");
  assert.equal(watched.told.length, 1);
});

test("a new, a changed and a deleted file are told", async () => {
  const watched = await start({ "a.yaml": object("a") });
  put(join(watched.dir, "b.yaml"), object("b"));
  await until(() => names(watched) === "a b", "new file");
  put(join(watched.dir, "a.yaml"), object("a2"));
  await until(() => names(watched) === "a2 b", "changed file");
  rmSync(join(watched.dir, "b.yaml"));
  await until(() => names(watched) === "a2", "deleted file");
});

test("a rename over a file is told once", async () => {
  const watched = await start({ "a.yaml": object("a") });
  put(join(watched.dir, "a.yaml.tmp"), object("a2"));
  renameSync(join(watched.dir, "a.yaml.tmp"), join(watched.dir, "a.yaml"));
  await until(() => names(watched) === "a2", "renamed file");
  assert.equal(watched.told.length, 2);
});

test("an object that moves from file to file, or from folder to folder, is always there", async () => {
  const watched = await start({ "b.yaml": object("b"), "one/a.yaml": object("a") });
  const moves: readonly [string, string][] = [
    ["b.yaml", "c.yaml"],
    ["one", "two"],
    ["c.yaml", "two/b.yaml"],
  ];
  for (const [from, to] of moves) {
    renameSync(join(watched.dir, from), join(watched.dir, to));
    put(join(watched.dir, "last.yaml"), object(`last-${to.replace("/", "-")}`));
    await until(() => names(watched).includes(`last-${to.replace("/", "-")}`), `moved to ${to}`);
  }
  rmSync(join(watched.dir, "two/b.yaml"));
  put(join(watched.dir, "d.yaml"), object("b"));
  await until(() => (watched.told.at(-1)?.documents ?? []).some(({ origin }) => origin?.file?.endsWith("d.yaml")), "moved by hand");
  for (const { documents } of watched.told) {
    const there = documents.map(({ value }) => (value as { metadata: { name: string } }).metadata.name);
    assert.ok(there.includes("a") && there.includes("b"), there.join(" "));
  }
});

test("a file that is written without end doesn't hold up the others", async () => {
  const watched = await start({ "a.yaml": object("a") });
  put(join(watched.dir, "b.yaml"), object("b"));
  for (let left = 300; left > 0 && names(watched) !== "a b"; left--) {
    appendFileSync(join(watched.dir, "endless.yaml"), "# more\n");
    await pause(5);
  }
  assert.equal(names(watched), "a b");
});

test("a file that is being written is not taken for its content", async () => {
  const watched = await start({ "a.yaml": object("a") });
  for (const text of ["", object("half"), `${object("half")}---\n`]) {
    put(join(watched.dir, "a.yaml"), text);
    await pause(3);
  }
  appendFileSync(join(watched.dir, "a.yaml"), object("whole"));
  await until(() => names(watched) === "half whole", "written file");
  assert.equal(watched.told.length, 2);
});

test("a ConfigMap volume's swap of ..data is followed", async () => {
  const dir = newFolder();
  put(join(dir, "..one/a.yaml"), object("a"));
  symlinkSync("..one", join(dir, "..data"));
  symlinkSync("..data/a.yaml", join(dir, "a.yaml"));
  const watched = await startIn(dir);
  assert.equal(names(watched), "a");
  put(join(dir, "..two/a.yaml"), object("b"));
  symlinkSync("..two", join(dir, "..data_tmp"));
  renameSync(join(dir, "..data_tmp"), join(dir, "..data"));
  rmSync(join(dir, "..one"), { recursive: true });
  await until(() => names(watched) === "b", "swapped link");
});

test("editors' temporary files are passed over", async () => {
  const watched = await start({ "a.yaml": object("a") });
  for (const name of [".a.yaml.swp", "4913", "a.yaml~", "#a.yaml#", ".#a.yaml", "a.yaml.tmp"]) put(join(watched.dir, name), object("no"));
  await pause(80);
  assert.equal(watched.told.length, 1);
});

test("folders that come, go and come again are followed", async () => {
  const watched = await start({ "a.yaml": object("a") });
  put(join(watched.dir, "sub/deep/b.yaml"), object("b"));
  await until(() => names(watched) === "a b", "new folder");
  rmSync(join(watched.dir, "sub"), { recursive: true });
  await until(() => names(watched) === "a", "folder gone");
  put(join(watched.dir, "sub/deep/b.yaml"), object("b2"));
  await until(() => names(watched) === "a b2", "folder again");
  put(join(watched.dir, "sub/deep/b.yaml"), object("b3"));
  await until(() => names(watched) === "a b3", "change in it");
});

test("nothing that comes into a new folder while it is looked at is missed", async () => {
  const watched = await start({}, { rescan: 60_000, batch: 0 });
  for (let index = 0; index < 40; index++) {
    put(join(watched.dir, `f${index}/a.yaml`), object("a"));
    await pause(index % 4);
    put(join(watched.dir, `f${index}/b.yaml`), object("b"));
    await until(() => watched.told.at(-1)?.documents.length === 2 * (index + 1), `files of folder ${index}`);
  }
});

test("only what changed is read again: other documents stay the same values", async () => {
  const watched = await start({ "a.yaml": `${object("a")}---\n${object("b")}`, "c.yaml": object("c") });
  put(join(watched.dir, "a.yaml"), `${object("a")}---\n${object("b2")}`);
  await until(() => names(watched) === "a b2 c", "change");
  const [first, second] = watched.told;
  assert.equal(second?.documents[0], first?.documents[0]);
  assert.equal(second?.documents[2], first?.documents[2]);
});

test("changes that follow a change are told together", async () => {
  const watched = await start({}, { batch: 200 });
  for (let index = 0; index < 50; index++) {
    put(join(watched.dir, `f${index}.yaml`), object(`f${index}`));
    await pause(2);
  }
  await until(() => watched.told.at(-1)?.documents.length === 50, "all files");
  assert.ok(watched.told.length <= 4, `${watched.told.length} calls`);
});

test("thousands of files are watched, and one that changes is found quickly", async () => {
  const files = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`d${index % 20}/f${index}.yaml`, object(`f${index}`)]));
  const watched = await start(files);
  assert.equal(watched.told[0]?.documents.length, 2000);
  const before = performance.now();
  put(join(watched.dir, "d3/f3.yaml"), object("changed"));
  await until(() => names(watched).includes("changed"), "change");
  assert.ok(performance.now() - before < 500);
});

test("a lost notification is made up for by looking again", async () => {
  const outside = newFolder();
  put(join(outside, "a.yaml"), object("a"));
  const dir = newFolder();
  symlinkSync(join(outside, "a.yaml"), join(dir, "a.yaml"));
  const watched = await startIn(dir, { rescan: 40 });
  put(join(outside, "a.yaml"), object("b"));
  await until(() => names(watched) === "b", "change behind a link");
});

test("a single file is watched, whatever its name", async () => {
  const dir = newFolder();
  put(join(dir, "mesh.conf"), object("a"));
  const watched = await startIn(join(dir, "mesh.conf"));
  put(join(dir, "mesh.conf"), object("b"));
  await until(() => names(watched) === "b", "changed in place");
  put(join(dir, "next"), object("c"));
  renameSync(join(dir, "next"), join(dir, "mesh.conf"));
  await until(() => names(watched) === "c", "renamed over");
});

interface Step {
  readonly act: "write" | "replace" | "delete" | "move";
  readonly name: string;
  readonly other: string;
}

function perform(dir: string, { act, name, other }: Step, text: string): void {
  const file = join(dir, name);
  if (act === "write") put(file, text);
  if (act === "delete") rmSync(name.startsWith("s/") ? join(dir, "s") : file, { recursive: true, force: true });
  if (act === "replace") put(`${file}.tmp`, text);
  if (act === "write" || act === "delete" || (act === "move" && !existsSync(file))) return;
  mkdirSync(join(dir, other, ".."), { recursive: true });
  renameSync(act === "move" ? file : `${file}.tmp`, join(dir, other));
}

test("any sequence of writes, renames and deletions ends in what a fresh reading finds", async () => {
  const name = fc.constantFrom("a.yaml", "b.yaml", "s/a.yaml", "s/t/c.yaml", "u/d.yaml");
  const step = fc.record({
    act: fc.constantFrom<Step["act"]>("write", "replace", "delete", "move"),
    name,
    other: name,
    wait: fc.constantFrom(0, 0, 1, 5, 25),
  });
  const values = (content: FolderContent | undefined): string => JSON.stringify(content?.documents.map(({ value }) => value));
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
    const watched = await start({ "a.yaml": object("first") });
    for (const [index, one] of steps.entries()) {
      perform(watched.dir, one, object(`n${index}`));
      await pause(one.wait);
    }
    await until(() => values(watched.told.at(-1)) === values(readFolder([watched.dir], "Kubernetes")), "the same content");
    watched.watch.close();
  });
  await fc.assert(property, { numRuns: 15 });
});
