import { createServer } from "node:net";

/** Below what systems take for outgoing connections (from 32768 on Linux, 49152 elsewhere): such a port would be gone before a slow server binds it. */
const FIRST = 10_000;
const COUNT = 22_000;
/** How far apart processes start that follow each other. */
const STRIDE = 101;

let next = (process.pid * STRIDE) % COUNT;

/** A TCP port on loopback that nothing listens on now. Ports are handed out once per process, and each process starts elsewhere. */
export async function freePort(host = "127.0.0.1"): Promise<number> {
  for (let tries = 0; tries < COUNT; tries++) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if (await isFree(port, host)) return port;
  }
  throw new Error(`no port from ${FIRST} to ${FIRST + COUNT - 1} is free`);
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
