import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, test } from "node:test";
import fc from "fast-check";
import { type FolderContent, readFolder } from "#functions/io/folder.ts";
import { type FolderWatch, watchFolders } from "#functions/io/watch.ts";

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

interface Watched {
  readonly dir: string;
  readonly told: FolderContent[];
  readonly watch: FolderWatch;
}

async function start(files: Readonly<Record<string, string>>, options: { readonly batch?: number; readonly rescan?: number } = {}): Promise<Watched> {
  const dir = mkdtempSync(join(tmpdir(), "almanac-watch-"));
  opened.push(() => rmSync(dir, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) put(join(dir, name), text);
  return startIn(dir, options);
}

async function startIn(dir: string, options: { readonly batch?: number; readonly rescan?: number } = {}): Promise<Watched> {
  const told: FolderContent[] = [];
  const onError = (error: unknown): void => assert.fail(String(error));
  const watch = watchFolders({ dirs: [dir], cluster: "Kubernetes", onContent: (content) => void told.push(content), onError, batch: 10, ...options });
  opened.push(() => watch.close());
  await watch.ready;
  return { dir, told, watch };
}

function put(path: string, text: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
}

/** Names of the objects last told. */
function names({ told }: Watched): string {
  return (told.at(-1)?.documents ?? []).map(({ value }) => (value as { metadata: { name: string } }).metadata.name).join(" ");
}

function problems({ told }: Watched): number {
  return told.at(-1)?.diagnostics.length ?? 0;
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (let left = 300; left > 0 && !condition(); left--) await pause(10);
  assert.ok(condition(), what);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

const object = (name: string): string => `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\n`;

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
  const dir = mkdtempSync(join(tmpdir(), "almanac-watch-"));
  opened.push(() => rmSync(dir, { recursive: true, force: true }));
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

  const parent = mkdtempSync(join(tmpdir(), "almanac-watch-"));
  opened.push(() => rmSync(parent, { recursive: true, force: true }));
  const missing = await startIn(join(parent, "late"), { rescan: 50 });
  assert.deepEqual([names(missing), missing.told[0]?.listed, problems(missing)], ["", false, 1]);
  put(join(parent, "late/a.yaml"), object("a"));
  await until(() => missing.told.at(-1)?.listed === true && names(missing) === "a", "found");
});

test("a folder that vanishes keeps what it held, and is found again", async () => {
  const parent = mkdtempSync(join(tmpdir(), "almanac-watch-"));
  opened.push(() => rmSync(parent, { recursive: true, force: true }));
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
  const outside = mkdtempSync(join(tmpdir(), "almanac-outside-"));
  opened.push(() => rmSync(outside, { recursive: true, force: true }));
  put(join(outside, "a.yaml"), object("a"));
  const dir = mkdtempSync(join(tmpdir(), "almanac-watch-"));
  opened.push(() => rmSync(dir, { recursive: true, force: true }));
  symlinkSync(join(outside, "a.yaml"), join(dir, "a.yaml"));
  const watched = await startIn(dir, { rescan: 40 });
  put(join(outside, "a.yaml"), object("b"));
  await until(() => names(watched) === "b", "change behind a link");
});

test("a single file is watched, whatever its name", async () => {
  const dir = mkdtempSync(join(tmpdir(), "almanac-watch-"));
  opened.push(() => rmSync(dir, { recursive: true, force: true }));
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
