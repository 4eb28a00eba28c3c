import assert from "node:assert/strict";
import { almanac, type Serving, startServing } from "./almanac.ts";
import { type Envoy, type EnvoyOptions, startEnvoy } from "./envoy.ts";
import { eventually } from "./eventually.ts";
import { http } from "./http.ts";
import { type MeshFolder, meshFolder } from "./mesh-folder.ts";

/** A folder that `almanac serve` watches, and what a story starts beside it. All of it ends with `close`. */
export interface Stage {
  readonly folder: MeshFolder;
  readonly serve: Serving;
  /** Folder of the store. */
  readonly store: string;
  /** Starts an Envoy with the bootstrap that the command line writes. */
  readonly envoy: (args: readonly string[], options?: EnvoyOptions & { readonly server?: Serving }) => Promise<Envoy>;
  /** Something that ends with the stage. */
  readonly use: <T extends { readonly stop: () => unknown }>(part: T) => T;
  readonly close: () => Promise<void>;
}

/** Opens a stage once `fill` has written what there is at first. */
export async function openStage(fill: (folder: MeshFolder) => Promise<void>): Promise<Stage> {
  const folder = await meshFolder();
  const parts: { readonly stop: () => unknown }[] = [];
  const use: Stage["use"] = (part) => {
    parts.push(part);
    return part;
  };
  const close = async (): Promise<void> => {
    for (const part of parts.reverse()) await part.stop();
    await folder.delete();
  };
  try {
    await fill(folder);
    const store = `${folder.path}/.store`;
    const serve = await startServing(["serve", folder.path, "--store", store]);
    use(serve.process);
    await eventually("an edition is served", async () => (await http(`${serve.http}/ready`)).status === 200, 20_000);
    const envoy: Stage["envoy"] = async (args, { server = serve, ...options } = {}) =>
      use(await startEnvoy(await bootstrap(args, server), { readyMs: 30_000, ...options }));
    return { folder, serve, store, envoy, use, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What `almanac bootstrap envoy` writes for a server. */
async function bootstrap(args: readonly string[], { grpc }: Serving): Promise<Readonly<Record<string, unknown>>> {
  const child = almanac(["bootstrap", "envoy", "--server", `127.0.0.1:${grpc}`, "--admin", "127.0.0.1:0", ...args]);
  assert.equal(await child.exited, 0, child.stderr());
  return JSON.parse(child.stdout()) as Readonly<Record<string, unknown>>;
}

/** Nothing was refused: by Envoy's own counters, and by what the control plane was told. */
export async function assertNothingRefused(envoy: Envoy, ...servers: readonly Serving[]): Promise<void> {
  const stats = await envoy.stats("update_rejected");
  assert.deepEqual(
    Object.entries(stats).filter(([, count]) => count > 0),
    [],
    envoy.log().slice(-4_000),
  );
  for (const server of servers) {
    const { body } = await http(`${server.http}/metrics`);
    const nacks = body.split("\n").filter((line) => /^almanac_xds_nacks_total.* [1-9]/.test(line));
    assert.deepEqual(nacks, []);
  }
}
