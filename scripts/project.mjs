// What the other scripts share: where the project is, how a command is run, and how the project is made ready. Needs nothing installed.
import "./node-version.mjs";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..");

/** Runs a command in the project's folder with its output shown, and ends this process with the same code when it fails. */
export function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
  if (error) console.error(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** Installs the npm packages when they are missing or older than the lock file. Returns whether it did: `npm ci` generates and builds as well. */
export function install() {
  const installed = join(root, "node_modules/.package-lock.json");
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, "package-lock.json")).mtimeMs) return false;
  console.error("almanac: installing packages (npm ci)…");
  run("npm", ["ci", "--no-fund", "--no-audit", "--loglevel=error"]);
  return true;
}

/** Paths below the folders, relative to the project, of files whose names end so; sorted. */
export function listFiles(folders, endings) {
  const found = [];
  for (const folder of folders) {
    if (!existsSync(join(root, folder))) continue;
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name).slice(root.length + 1);
      if (entry.isFile() && endings.some((ending) => path.endsWith(ending))) found.push(path);
    }
  }
  return found.sort();
}
