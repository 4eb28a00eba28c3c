// Generates proto/gen from proto/api.binpb, and only when the inputs changed since the last run.
import "./node-version.mjs";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const root = join(import.meta.dirname, "..");
const out = join(root, "proto/gen");
const stamp = join(out, ".stamp");
const inputs = ["proto/api.binpb", "buf.gen.yaml", "node_modules/@bufbuild/protoc-gen-es/package.json"];

const digest = createHash("sha256");
for (const input of inputs) digest.update(readFileSync(join(root, input)));
const wanted = digest.digest("hex");

if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) process.exit(0);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const bin = join(root, "node_modules/.bin");
execFileSync(join(bin, "buf"), ["generate"], {
  cwd: root,
  stdio: ["ignore", "inherit", "inherit"],
  env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
});
writeFileSync(stamp, wanted);
