// Bundles the command line (dist/almanac.js, the package's `bin`) and the front-end alone (dist/front.js).
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { bundleOptions, entries } from "./bundles.mjs";
import { root } from "./project.mjs";

const { build } = await import("esbuild");
await build(bundleOptions(entries));
for (const name of Object.keys(entries)) {
  const file = join(root, "dist", `${name}.js`);
  if (existsSync(file)) chmodSync(file, 0o755);
}
