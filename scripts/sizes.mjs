// Fails on source files of more than 300 lines: a file holds one concept.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, root } from "./project.mjs";

const LIMIT = 300;
const long = listFiles(["core", "functions", "scripts", "test"], [".ts", ".mjs"])
  .map((path) => ({ path, lines: readFileSync(join(root, path), "utf8").split("\n").length - 1 }))
  .filter(({ lines }) => lines > LIMIT);
for (const { path, lines } of long) console.error(`${path}: ${lines} lines, at most ${LIMIT} are allowed`);
process.exit(long.length > 0 ? 1 : 0);
