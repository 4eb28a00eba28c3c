import { formatAddress, parseAddress } from "./address.ts";
import { addressBits, type Cidr, parseCidr } from "./cidr.ts";

/** Reads an address (a range of one) or a CIDR; undefined for anything else (istio `util.AddrStrToPrefix`). */
export function parseRange(text: string): Cidr | undefined {
  if (text.includes("/")) return parseCidr(text);
  const address = parseAddress(text);
  return address && { address, bits: addressBits(address) };
}

/** One text for equal ranges, whatever their host bits. */
export function maskedRange({ address, bits }: Cidr): string {
  const width = address.family === "v4" ? 8 : 16;
  const groups = address.groups.map((group, index) => {
    const kept = Math.min(width, Math.max(0, bits - index * width));
    return group & ~((1 << (width - kept)) - 1);
  });
  return `${formatAddress({ family: address.family, groups })}/${bits}`;
}
