import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { packageRoot } from "#functions/io/api.ts";
import { almanac } from "#test/support/almanac.ts";
import { eventually } from "#test/support/eventually.ts";

// Whatever a user gets wrong, and whatever the machine refuses, is one clear line, and the exit code that DESIGN 9 promises.

const SHOP = join(packageRoot(), "examples/bookshop");
const WEB = join(packageRoot(), "examples/nodes/web.json");
const ANYWHERE = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--metrics", "off"];

let folder = "";
const at = (name: string): string => join(folder, name);

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-cli-"));
  await writeFile(at("broken.yaml"), "apiVersion: v1\nkind: Service\n---\nkind: Service\nmetadata: {name: a\n");
  await writeFile(at("node.json"), '{"id": 5}');
  await writeFile(at("list.json"), "[]");
  await writeFile(at("cut.json"), '{"id":');
  await writeFile(at("file"), "a file");
  await mkdir(at("damaged"));
  await writeFile(at("damaged/root"), '{"format": 1, "gen');
  await mkdir(at("newer"));
  await writeFile(at("newer/root"), '{"format": 99}');
});
after(() => rm(folder, { recursive: true, force: true }));

/** A command that must end at once: its code, and the one line that it says. */
async function refused(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<readonly [code: number, line: string]> {
  const child = almanac(args, env);
  const code = await child.exited;
  assert.equal(child.stdout(), "", "results go to standard output, and there is none");
  const lines = child.stderr().trimEnd().split("\n");
  assert.ok(lines.length === 1 || /^\(/.test(lines[1] ?? ""), `one line, or a hint below it:\n${child.stderr()}`);
  return [code, lines[0]?.replaceAll(`${folder}/`, "") ?? ""];
}

interface Refusal {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly code: number;
  readonly line: RegExp;
}

function refusals(): readonly Refusal[] {
  const web = ["--node", `web=${WEB}`];
  return [
    // Folders and files.
    { args: ["translate", at("none"), ...web], code: 2, line: /^almanac: none can't be read: / },
    { args: ["translate", SHOP, at("broken.yaml"), ...web], code: 2, line: /^almanac: broken\.yaml:6: / },
    { args: ["build", at("none"), "--store", "memory:"], code: 2, line: /^almanac: none can't be read: / },
    { args: ["analyze", at("none")], code: 2, line: /^almanac: none can't be read: / },
    { args: ["analyze", at("broken.yaml")], code: 2, line: /^almanac: broken\.yaml:6: / },
    { args: ["node", WEB, at("none")], code: 2, line: /^almanac: none can't be read: / },
    { args: ["translate", SHOP, "--cluster", `far=${at("none")}`, ...web], code: 2, line: /^almanac: none can't be read: / },
    { args: ["translate", SHOP, "--mesh", SHOP, ...web], code: 2, line: /can't be read: / },
    // Nodes.
    { args: ["translate", SHOP, "--node", `web=${at("none.json")}`], code: 2, line: /^almanac: none\.json: no such file$/ },
    { args: ["translate", SHOP, "--node", `web=${at("cut.json")}`], code: 2, line: /^almanac: cut\.json:1: / },
    { args: ["translate", SHOP, "--node", `web=${at("list.json")}`], code: 2, line: /^almanac: list\.json: the node is not a JSON object$/ },
    { args: ["translate", SHOP, "--node", `web=${at("node.json")}`], code: 2, line: /^almanac: node\.json: field id of the node is no text: 5$/ },
    { args: ["node", at("node.json"), SHOP], code: 2, line: /^almanac: node\.json: field id/ },
    { args: ["translate", SHOP, "--node", WEB], code: 2, line: /wanted NAME=FILE$/ },
    // Stores.
    { args: ["build", SHOP, "--store", at("file")], code: 1, line: /^almanac: --store file: .*not a folder$/ },
    {
      args: ["build", SHOP, "--store", at("damaged")],
      code: 1,
      line: /^almanac: --store damaged: its root is damaged, or was not written by Almanac$/,
    },
    { args: ["build", SHOP, "--store", at("newer")], code: 1, line: /^almanac: --store newer: the store has format 99; this release reads 1$/ },
    { args: ["node", WEB, "--store", at("damaged")], code: 1, line: /^almanac: --store damaged: its root is damaged/ },
    { args: ["node", WEB, "--store", at("none")], code: 1, line: /^almanac: none: nothing was published there yet; / },
    { args: ["serve", SHOP, "--store", at("damaged"), ...ANYWHERE], code: 1, line: /^almanac: --store damaged: its root is damaged/ },
    { args: ["serve", SHOP, "--store", at("file/below"), ...ANYWHERE], code: 1, line: /^almanac: --store file\/below: .*not a folder$/ },
    { args: ["front", "--store", "ftp://x", ...ANYWHERE], code: 1, line: /^almanac: --store ftp:\/\/x: no store of this kind/ },
    { args: ["build", SHOP, "--store", "memory:"], env: { ALMANAC_SEAL_KEY: "short" }, code: 1, line: /^almanac: a seal key is 32 bytes/ },
    // Flags.
    { args: ["translate", SHOP], code: 1, line: /required option '--node/ },
    { args: ["translate", SHOP, ...web, "--dialect", "latin"], code: 1, line: /argument 'latin' is invalid/ },
    { args: ["translate", SHOP, ...web, "--cluster", "far"], code: 1, line: /^almanac: --cluster far: wanted ID=DIR$/ },
    { args: ["analyze", SHOP, "-o", "xml"], code: 1, line: /argument 'xml' is invalid/ },
    { args: ["serve", SHOP, "--place-timeout", "soon"], code: 1, line: /^almanac: --place-timeout soon: wanted a duration/ },
    { args: ["front", "--poll-interval", "-1s"], code: 1, line: /^almanac: --poll-interval -1s: wanted a duration/ },
    { args: ["serve", SHOP, "--bogus"], code: 1, line: /unknown option '--bogus'/ },
  ];
}

test("what can't be done is said in one line, with the exit code that tells why", { timeout: 240_000 }, async (context) => {
  for (const { args, env, code, line } of refusals()) {
    await context.test(args.join(" ").replaceAll(`${folder}/`, ""), async () => {
      const [found, said] = await refused(args, env);
      assert.match(said, line);
      assert.equal(found, code);
    });
  }
});

test("an address that is taken ends what was to serve there, and names the flag", { timeout: 60_000 }, async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(taken.address() as { port: number }).port}`;
  try {
    for (const flag of ["--grpc", "--http", "--metrics"]) {
      const args = [...ANYWHERE];
      args[args.indexOf(flag) + 1] = address;
      const [code, line] = await refused(["serve", SHOP, "--store", "memory:", ...args]);
      assert.deepEqual([code, line], [1, `almanac: ${flag} ${address} is in use`]);
    }
  } finally {
    taken.close();
  }
});

test("serve with a folder that is not there says so and waits; it publishes once it can list it", { timeout: 60_000 }, async () => {
  const late = at("late");
  const child = almanac(["serve", late, "--store", "memory:", ...ANYWHERE]);
  try {
    await eventually("it says what is missing", () => child.stderr().includes('"file":'));
    const said = JSON.parse(child.stderr().split("\n")[0] ?? "") as Readonly<Record<string, unknown>>;
    assert.deepEqual([said.level, said.message, said.code, said.file], ["error", "no such file or folder", "ALM0002", late]);
    assert.doesNotMatch(child.stdout(), /ready/);
    await mkdir(late);
    await eventually("an edition is served", () => child.stdout().includes("ready edition 1"), 20_000);
  } finally {
    await child.stop();
  }
});

test("serve that can't write to its store goes on trying, says why once, and publishes when it can", { timeout: 60_000 }, async () => {
  const store = at("full");
  await mkdir(store);
  // Where a folder of packs would be.
  await writeFile(join(store, "packs"), "");
  const child = almanac(["serve", SHOP, "--store", store, ...ANYWHERE], { ALMANAC_SEAL_KEY: Buffer.alloc(32).toString("base64") });
  const failures = (): readonly string[] =>
    child
      .stderr()
      .split("\n")
      .filter((line) => line.includes("could not be built or published"));
  try {
    await eventually("it says what it can't do", () => failures().length > 0);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    assert.equal(failures().length, 1);
    assert.match(failures()[0] ?? "", /packs\/.*: part of the path is a file, not a folder/);
    await rm(join(store, "packs"));
    await eventually("an edition is served", () => child.stdout().includes("ready edition 1"), 20_000);
  } finally {
    await child.stop();
  }
});
