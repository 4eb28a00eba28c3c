/**
 * FNV-1a of 32 bits over the bytes between two positions, the same for capital and small letters. For telling most different texts apart quickly;
 * equal hashes must be compared.
 */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ ((bytes[index] ?? 0) | 0x20), 0x01000193);
  return hash;
}
