import { envoyBinary as locate } from "../../scripts/components.mjs";

/** The official Envoy that `npm test` installed. Missing is an error: a test that skips proves nothing. */
export function envoyBinary(): string {
  const binary = locate();
  if (binary === undefined) throw new Error("Envoy is not installed: run `npm test`, or `node scripts/components.mjs` once");
  return binary;
}
