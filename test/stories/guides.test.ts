import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { packageRoot } from "#functions/io/api.ts";
import { almanac, startServing } from "#test/support/almanac.ts";
import { startChild } from "#test/support/child.ts";
import { eventually } from "#test/support/eventually.ts";

const ROOT = packageRoot();

describe("guides", { timeout: 120_000 }, () => {
  it("every command that prints something runs as it is written", async () => {
    const run = async (command: string): Promise<void> => {
      const child = almanac(command.split(" "));
      assert.equal(await child.exited, 0, `${command}\n${child.stderr()}`);
      assert.ok(child.stdout().length > 0, command);
    };
    await Promise.all((await printingCommands()).map(run));
  });

  it("the greeter is called without a proxy", async () => {
    const folder = await mkdtemp(join(tmpdir(), "almanac-greeter-"));
    const servers = startChild(process.execPath, [join(ROOT, "examples/greeter/servers.mjs")]);
    const serve = await startServing(["serve", join(ROOT, "examples/greeter"), "--store", join(folder, "store")]);
    try {
      await eventually("both pods run", () => servers.stdout().split("greeter v").length === 3);
      const bootstrap = almanac(["bootstrap", "grpc", "--server", `127.0.0.1:${serve.grpc}`, "--name", "reader", "--namespace", "demo"]);
      assert.equal(await bootstrap.exited, 0, bootstrap.stderr());
      await writeFile(join(folder, "grpc.json"), bootstrap.stdout());
      const client = startChild(process.execPath, [join(ROOT, "examples/greeter/client.mjs"), "xds:///greeter:50051", "5"], {
        env: { GRPC_XDS_BOOTSTRAP: join(folder, "grpc.json") },
      });
      assert.equal(await client.exited, 0, client.stderr());
      assert.match(client.stdout(), /^(greeter v[12] greets you\n){5}beta reader: greeter v2 greets you\n$/);
    } finally {
      await Promise.all([serve.process.stop(), servers.stop()]);
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** Commands of the guides that end by themselves, without what a shell does with their output. */
async function printingCommands(): Promise<readonly string[]> {
  const folder = join(ROOT, "docs/guides");
  const texts = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), "utf8")));
  const lines = texts.flatMap((text) => [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = ""]) => block.split("\n")));
  const commands = lines.flatMap((line) => /^npx almanac ((bootstrap|translate|node) [^>&#]*)/.exec(line)?.[1]?.trim() ?? []);
  assert.ok(commands.length > 5);
  return [...new Set(commands)];
}
