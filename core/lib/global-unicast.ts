import type { Address } from "./address.ts";

/**
 * Can the address mean one host beyond its link? Private ranges can; loopback, multicast, link-local and unspecified addresses, and broadcast, can't
 * (Go `netip.Addr.IsGlobalUnicast`).
 */
export function isGlobalUnicast(address: Address): boolean {
  return address.family === "v4" ? isGlobalV4(address) : isGlobalV6(address);
}

function isGlobalV4({ groups: [a = 0, b = 0, ...rest] }: Address): boolean {
  if (a === 127 || (a === 0 && b === 0 && rest.every((group) => group === 0))) return false;
  if (a === 255 && b === 255 && rest.every((group) => group === 255)) return false;
  return !(a >= 224 && a < 240) && !(a === 169 && b === 254);
}

function isGlobalV6({ groups }: Address): boolean {
  const [first = 0] = groups;
  const low = groups.slice(0, 7).every((group) => group === 0) && (groups[7] ?? 0) < 2;
  return !low && first < 0xff00 && (first & 0xffc0) !== 0xfe80;
}
