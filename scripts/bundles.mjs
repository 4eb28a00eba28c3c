// The bundles that are built, and how: one self-contained file each, which runs without node_modules.
import { join } from "node:path";
import { root } from "./project.mjs";

/** Output name → entry. `front` is the read half alone: it serves a published edition and must hold no translator (scripts/front-bundle.mjs). */
export const entries = { almanac: "functions/cli/main.ts", front: "functions/front/main.ts" };

/** Options of esbuild for some of the entries. */
export function bundleOptions(entryPoints) {
  return {
    absWorkingDir: root,
    entryPoints,
    outdir: join(root, "dist"),
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    sourcemap: "linked",
    // The sources are beside the map in every clone.
    sourcesContent: false,
    metafile: true,
    legalComments: "none",
    logLevel: "warning",
    // CommonJS packages inside an ES module need a `require`.
    banner: {
      js: '#!/usr/bin/env node\nimport { createRequire as almanacRequire } from "node:module";\nconst require = almanacRequire(import.meta.url);',
    },
  };
}
