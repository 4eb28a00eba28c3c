import { createServer } from "node:net";

/** A TCP port on loopback that nothing listens on now. Ports are handed out once per process, but another process may take one: bind soon. */
export async function freePort(host = "127.0.0.1"): Promise<number> {
  for (;;) {
    const port = await probe(host);
    if (!handedOut.has(port)) {
      handedOut.add(port);
      return port;
    }
  }
}

const handedOut = new Set<number>();

function probe(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, host, () => {
      const address = server.address();
      server.close(() => (address !== null && typeof address === "object" ? resolve(address.port) : reject(new Error("no port"))));
    });
  });
}
