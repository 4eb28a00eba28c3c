// `npm start`, also on a fresh clone: installs, generates, builds, and serves the bundled example. Arguments are passed on to `almanac serve`.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { install, root, run } from "./project.mjs";

if (!install()) {
  run(process.execPath, ["scripts/generate.mjs"]);
  run(process.execPath, ["scripts/build.mjs"]);
}
const args = ["dist/almanac.js", "serve", "examples/bookshop", ...process.argv.slice(2)];
const server = spawn(process.execPath, args, { cwd: root, stdio: ["inherit", "pipe", "inherit"] });
const addresses = {};
createInterface({ input: server.stdout }).on("line", (line) => {
  console.log(line);
  const [name, value] = line.split(" ");
  addresses[name] ??= value;
  if (name === "ready") console.log(whatNext(addresses));
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill(signal));
server.on("close", (code, signal) => process.exit(signal === "SIGINT" || signal === "SIGTERM" ? 0 : (code ?? 1)));

function whatNext({ grpc = "127.0.0.1:15010", http = "127.0.0.1:8080" }) {
  const gateway = "--type router --name gateway --namespace bookshop --address 127.0.1.1 --label istio=ingressgateway";
  return `
The bookshop is served. Try, in another terminal:

  1. What one pod is sent, over REST:
     curl -s http://${http}/v3/discovery:clusters -d '{"node":{"id":"sidecar~127.0.1.10~storefront-v1-0.bookshop~bookshop.svc.cluster.local"}}'

  2. A real Envoy as the shop's gateway (the pods first, so that it has somewhere to go):
     node examples/bookshop/pods.mjs &
     npx almanac bootstrap envoy ${gateway} --server ${grpc} > gateway.json
     npm run envoy -- -c gateway.json &
     curl -H 'host: bookshop.example' http://127.0.0.1:10000/reviews

  3. An edit, and with it a new edition (watch this terminal; half of the readers then see version 2):
     sed -i.bak 's/weight: [19]0/weight: 50/' examples/bookshop/gateway.yaml

Ctrl-C ends it.
`;
}
