import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { CannotListen, type HostPort } from "../io/listen.ts";

/** A listening HTTP server. */
export interface HttpServer {
  readonly address: HostPort;
  readonly stop: () => Promise<void>;
}

export type Fetch = (request: Request) => Response | Promise<Response>;

/** Serves a web-standard handler over HTTP/1.1. Throws {@link CannotListen} with the name of the option that gave the address. */
export function listenHttp(flag: string, address: HostPort, fetch: Fetch): Promise<HttpServer> {
  const server = createAdaptorServer({ fetch }) as Server;
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new CannotListen(flag, address, error)));
    server.listen(address.port, address.host, () => {
      const bound = server.address();
      const port = typeof bound === "object" && bound !== null ? bound.port : address.port;
      resolve({ address: { ...address, port }, stop: () => stop(server) });
    });
  });
}

/** Lets answers that are being given end, idle connections at once. */
function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 1_000).unref();
  });
}
