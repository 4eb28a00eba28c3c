import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An HTTP server that answers everything with its name. */
export interface Upstream {
  readonly port: number;
  readonly requests: () => number;
  readonly stop: () => Promise<void>;
}

export function startUpstream(name: string): Promise<Upstream> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end(name);
  });
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({
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
