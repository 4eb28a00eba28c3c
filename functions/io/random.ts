import { randomBytes } from "node:crypto";

/** So many at once: a call into the system costs the same for one byte as for these. */
const STOCK = 1024;

let stock = new Uint8Array();

/** Unpredictable bytes, for the core to be given: a few at a time, each once. */
export function systemRandom(bytes: number): Uint8Array {
  if (stock.length < bytes) stock = new Uint8Array(randomBytes(Math.max(STOCK, bytes)));
  const taken = stock.slice(0, bytes);
  stock = stock.subarray(bytes);
  return taken;
}
