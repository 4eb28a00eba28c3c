// `npm start`, also on a fresh clone: installs, generates, builds, and serves the bundled example. Arguments are passed on to `almanac serve`.
import { spawn } from "node:child_process";
import { install, root, run } from "./project.mjs";

if (!install()) {
  run(process.execPath, ["scripts/generate.mjs"]);
  run(process.execPath, ["scripts/build.mjs"]);
}
const server = spawn(process.execPath, ["dist/almanac.js", "serve", "examples/bookshop", ...process.argv.slice(2)], { cwd: root, stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill(signal));
server.on("exit", (code, signal) => process.exit(signal === "SIGINT" || signal === "SIGTERM" ? 0 : (code ?? 1)));
