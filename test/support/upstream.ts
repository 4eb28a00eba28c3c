import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An HTTP server that answers everything with its name. */
export interface Upstream {
  readonly address: string;
  readonly port: number;
  readonly requests: () => number;
  readonly stop: () => Promise<void>;
}

/** On a loopback address (all of 127.0.0.0/8 is there on Linux; elsewhere they have to be added), at a free port. */
export function startUpstream(name: string, address = "127.0.0.1"): Promise<Upstream> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end(name);
  });
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve) => {
    server.listen(0, address, () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        address,
        port,
        requests: () => requests,
        stop: () =>
          new Promise<void>((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}
