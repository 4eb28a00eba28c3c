import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { packageRoot } from "#functions/io/api.ts";
import { almanac } from "#test/support/almanac.ts";

const ROOT = packageRoot();
const SHOP = join(ROOT, "examples/bookshop");
const WEB = join(ROOT, "examples/nodes/web.json");

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function ended(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = almanac(args, env);
  return { code: await child.exited, out: child.stdout(), err: child.stderr() };
}

describe("the command line", { timeout: 120_000 }, () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "almanac-command-line-"));
    await writeFile(join(folder, "broken.yaml"), "kind: Service\nmetadata: {name: a\n");
    await writeFile(
      join(folder, "refused.yaml"),
      "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: a}\nspec: {hosts: [a]}\n",
    );
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("tells its version, that of the package", async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { readonly version: string };
    assert.deepEqual(await ended(["--version"]), { code: 0, out: `${version}\n`, err: "" });
  });

  it("ends with 2 and one line for what can't be read", async () => {
    const unreadable: readonly (readonly [args: readonly string[], line: RegExp])[] = [
      [["translate", join(folder, "none"), "--node", `web=${WEB}`], /^almanac: .*none can't be read: ENOENT/],
      [["translate", SHOP, "--node", `web=${join(folder, "none.json")}`], /^almanac: .*none\.json: no such file$/],
      [["build", join(folder, "broken.yaml"), "--store", join(folder, "store")], /^almanac: .*broken\.yaml:\d: /],
      [["serve", SHOP, "--store", "memory:", "--mesh", join(folder, "none.yaml")], /^almanac: .*none\.yaml: no such file$/],
    ];
    const refuse = async ([args, line]: (typeof unreadable)[number]): Promise<void> => {
      const { code, out, err } = await ended(args);
      assert.deepEqual([code, out, err.split("\n").length], [2, "", 2], `${args.join(" ")}\n${err}`);
      assert.match(err.trimEnd(), line);
    };
    await Promise.all(unreadable.map(refuse));
  });

  it("ends with 1 for what it does not understand, and where analyze finds errors", async () => {
    assert.equal((await ended(["bogus"])).code, 1);
    assert.equal((await ended(["serve", SHOP, "--grpc", "nowhere"])).code, 1);
    assert.equal((await ended(["analyze", join(folder, "refused.yaml")])).code, 1);
  });

  it("answers whatever is wrong with single objects", async () => {
    const { code, out, err } = await ended(["translate", SHOP, join(folder, "refused.yaml"), "--node", `web=${WEB}`]);
    assert.equal(code, 0);
    assert.deepEqual(Object.keys(JSON.parse(out).web).sort(), ["clusters", "endpoints", "listeners", "routes"]);
    assert.match(err, /^Error \[IST0106\] \(VirtualService default\/a\) .*refused\.yaml:1 /m);
  });

  it("takes variables for options, several values separated by commas", async () => {
    const gateway = join(ROOT, "examples/nodes/gateway.json");
    const { code, out } = await ended(["translate", SHOP], { ALMANAC_NODE: `web=${WEB},gateway=${gateway}`, ALMANAC_DIALECT: "envoy" });
    assert.equal(code, 0);
    assert.deepEqual(Object.keys(JSON.parse(out)), ["web", "gateway"]);
  });

  it("prints diagnostics as JSON, field by field", async () => {
    const { out } = await ended(["analyze", join(folder, "refused.yaml"), "-o", "json"]);
    const [first] = JSON.parse(out) as readonly Readonly<Record<string, unknown>>[];
    const fields = ["code", "severity", "check", "refused", "kind", "namespace", "name", "field", "message", "file", "line"];
    assert.deepEqual(Object.keys(first ?? {}), fields);
  });
});
