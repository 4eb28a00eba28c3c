// Plays the shop's pods, so that the example carries real requests: small HTTP servers at the addresses that the YAML files name. `node examples/bookshop/pods.mjs`
// On Linux all of 127.0.0.0/8 is there; elsewhere add the addresses first (macOS: sudo ifconfig lo0 alias 127.0.1.10, and so on).
import { createServer } from "node:http";

const PORT = 8000;
const pods = {
  "127.0.1.10": "storefront v1",
  "127.0.1.20": "catalog v1, pod 0",
  "127.0.1.21": "catalog v1, pod 1",
  "127.0.1.30": "reviews v1",
  "127.0.1.31": "reviews v2",
  "127.0.1.40": "warehouse north",
  "127.0.1.41": "warehouse south",
};

for (const [address, name] of Object.entries(pods)) {
  const server = createServer((request, response) => response.end(`${name} answers ${request.method} ${request.url}\n`));
  server.on("error", (error) => console.error(`${name}: ${error.message}`));
  server.listen(PORT, address, () => console.log(`${name} on ${address}:${PORT}`));
}
