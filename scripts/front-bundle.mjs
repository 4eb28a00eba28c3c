// Proves that the front-end's bundle holds the read half only: what serves an edition needs no translator (DESIGN 1).
import { bundleOptions, entries } from "./bundles.mjs";

const FORBIDDEN = ["core/translate/", "core/model/", "core/sources/", "core/envoy/", "core/pipeline/"];

const { build } = await import("esbuild");
const { metafile } = await build({ ...bundleOptions({ front: entries.front }), write: false });
const inputs = Object.keys(metafile.inputs);
const wrong = inputs.filter((path) => FORBIDDEN.some((folder) => path.startsWith(folder)));
for (const path of wrong) console.error(`the front-end's bundle holds ${path}, which belongs to the write half`);
if (wrong.length === 0)
  console.log(`front-end bundle: ${inputs.filter((path) => path.startsWith("core/")).length} files of core, none of the write half`);
process.exit(wrong.length > 0 ? 1 : 0);
