// Runs the benchmark as what is shipped runs: bundled by the same options (a loader of TypeScript gives every function its name again whenever it is made).
import { join } from "node:path";
import { bundleOptions } from "./bundles.mjs";
import { install, root, run } from "./project.mjs";

install();
const { build } = await import("esbuild");
const outdir = join(root, ".cache/bench");
const entries = { run: "test/bench/run.ts", follow: "test/bench/follow.ts", memory: "test/bench/memory.ts" };
await build({ ...bundleOptions(entries), outdir });
run(process.execPath, [join(outdir, "run.js")]);
