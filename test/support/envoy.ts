import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Child } from "./child.ts";
import { startChild } from "./child.ts";
import { envoyBinary } from "./components.ts";
import { eventually, GiveUp } from "./eventually.ts";
import { http } from "./http.ts";

export interface EnvoyOptions {
  /** Answers /ready with 200 only once it has its first configuration; false: wait for the process only. */
  readonly waitReady?: boolean;
  readonly readyMs?: number;
  readonly lifetimeMs?: number;
  /** For example `warning` or `config:debug`. */
  readonly logLevel?: string;
  readonly concurrency?: number;
}

/** A real Envoy of this test's own. */
export interface Envoy {
  /** `http://127.0.0.1:PORT` of the admin interface. */
  readonly admin: string;
  readonly process: Child;
  readonly log: () => string;
  readonly ready: () => Promise<boolean>;
  /** Counters and gauges whose names match, by name. */
  readonly stats: (filter?: string) => Promise<Readonly<Record<string, number>>>;
  /** `/config_dump`, endpoints included, as parsed JSON. */
  readonly configDump: () => Promise<ConfigDump>;
  readonly stop: () => Promise<void>;
}

export interface ConfigDump {
  readonly configs: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Starts Envoy with a bootstrap (JSON form). The admin interface is put on a free loopback port, whatever the bootstrap says, so that any number of
 * Envoys run side by side. Rejects with Envoy's log when it does not come up. End it with `stop`, in a `finally` or an `after` hook.
 */
export async function startEnvoy(bootstrap: Readonly<Record<string, unknown>>, options: EnvoyOptions = {}): Promise<Envoy> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-envoy-"));
  const config = join(folder, "bootstrap.json");
  const adminFile = join(folder, "admin");
  const admin = { address: { socket_address: { address: "127.0.0.1", port_value: 0 } } };
  await writeFile(config, JSON.stringify({ ...bootstrap, admin }));

  const args = ["-c", config, "--admin-address-path", adminFile, "--use-dynamic-base-id", "--concurrency", String(options.concurrency ?? 1)];
  const quick = ["--drain-time-s", "1", "--parent-shutdown-time-s", "2", "--file-flush-interval-msec", "100"];
  const levels = options.logLevel?.includes(":") ? ["--component-log-level", options.logLevel] : ["--log-level", options.logLevel ?? "warning"];
  const child = startChild(envoyBinary(), [...args, ...quick, ...levels], { lifetimeMs: options.lifetimeMs ?? 180_000 });
  const stop = async () => {
    await child.stop("SIGTERM", 3_000);
    await rm(folder, { recursive: true, force: true });
  };

  let waitsFor = "";
  try {
    const address = await eventually(
      "Envoy opens its admin interface",
      async () => alive(child) && ((await readFile(adminFile, "utf8")) || false),
      15_000,
    );
    const envoy = controls(`http://${address.trim()}`, child, stop);
    if (options.waitReady !== false) {
      await eventually("Envoy is ready", async () => alive(child) && (await envoy.ready()), options.readyMs ?? 15_000).catch(
        async (error: unknown) => {
          waitsFor = await http(`${envoy.admin}/init_dump`).then(({ body }) => body, String);
          throw error;
        },
      );
    }
    return envoy;
  } catch (error) {
    await stop();
    throw new Error(`Envoy did not start; it waits for ${waitsFor}\n${child.stderr().slice(-4_000)}`, { cause: error });
  }
}

/** Lets Envoy judge a bootstrap (JSON form) without starting: exit code 0, or its complaint in `log`. */
export async function validateBootstrap(bootstrap: Readonly<Record<string, unknown>>): Promise<{ readonly code: number; readonly log: string }> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-envoy-"));
  const config = join(folder, "bootstrap.json");
  await writeFile(config, JSON.stringify(bootstrap));
  const child = startChild(envoyBinary(), ["--mode", "validate", "-c", config, "--use-dynamic-base-id"], { lifetimeMs: 15_000 });
  const code = await child.exited;
  await rm(folder, { recursive: true, force: true });
  return { code, log: child.stdout() + child.stderr() };
}

function alive(child: Child): true {
  if (!child.running()) throw new GiveUp("Envoy ended");
  return true;
}

function controls(admin: string, child: Child, stop: () => Promise<void>): Envoy {
  return {
    admin,
    process: child,
    log: child.stderr,
    ready: async () => (await http(`${admin}/ready`)).status === 200,
    stats: async (filter = "") => {
      const { body } = await http(`${admin}/stats?format=json&type=Counters&filter=${encodeURIComponent(filter)}`);
      const gauges = await http(`${admin}/stats?format=json&type=Gauges&filter=${encodeURIComponent(filter)}`);
      return Object.fromEntries([body, gauges.body].flatMap((text) => parseStats(text)));
    },
    configDump: async () => JSON.parse((await http(`${admin}/config_dump?include_eds`)).body) as ConfigDump,
    stop,
  };
}

function parseStats(text: string): [string, number][] {
  const { stats } = JSON.parse(text) as { stats: readonly { name?: string; value?: number }[] };
  return stats.flatMap(({ name, value }) => (name !== undefined && value !== undefined ? [[name, value] as [string, number]] : []));
}
