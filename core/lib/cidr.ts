import { type Address, parseAddress } from "./address.ts";

/** An address range; host bits are kept as written. */
export interface Cidr {
  readonly address: Address;
  readonly bits: number;
}

/** Reads `address/bits` as Go's `netip.ParsePrefix` does; undefined for anything else. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.lastIndexOf("/");
  if (slash < 0) return undefined;
  const address = parseAddress(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (address === undefined || !/^(0|[1-9]\d{0,2})$/.test(digits)) return undefined;
  const bits = Number(digits);
  return bits > addressBits(address) ? undefined : { address, bits };
}

export function addressBits(address: Address): number {
  return address.family === "v4" ? 32 : 128;
}

/** Lies the address in the range? An address of the other family never does. */
export function cidrContains(cidr: Cidr, address: Address): boolean {
  if (cidr.address.family !== address.family) return false;
  const width = address.family === "v4" ? 8 : 16;
  for (let index = 0, left = cidr.bits; left > 0; index++, left -= width) {
    const shift = Math.max(0, width - left);
    if ((cidr.address.groups[index] ?? 0) >> shift !== (address.groups[index] ?? 0) >> shift) return false;
  }
  return true;
}
