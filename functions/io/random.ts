import { randomBytes } from "node:crypto";

/** Unpredictable bytes, for the core to be given. */
export function systemRandom(bytes: number): Uint8Array {
  return randomBytes(bytes);
}
