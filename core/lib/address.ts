/** An IP address as numbers: four octets or eight 16-bit groups. */
export interface Address {
  readonly family: "v4" | "v6";
  readonly groups: readonly number[];
}

/** Reads an IP address as Go's `netip.ParseAddr` does (no leading zeros in v4; zones are refused); undefined for anything else. */
export function parseAddress(text: string): Address | undefined {
  return text.includes(":") ? parseV6(text) : parseV4(text);
}

/** Is it an IP address of either family? */
export function isAddress(text: string): boolean {
  return text.includes(":") ? parseV6(text) !== undefined : isV4(text);
}

/** The family of a valid address; undefined for host names, CIDRs and paths. */
export function familyOf(text: string): "v4" | "v6" | undefined {
  if (text.includes(":")) return parseV6(text) === undefined ? undefined : "v6";
  return isV4(text) ? "v4" : undefined;
}

function parseV4(text: string): Address | undefined {
  return isV4(text) ? { family: "v4", groups: text.split(".").map(Number) } : undefined;
}

/** Four octets without leading zeros. Nearly every address is asked for, so nothing is made on the way. */
function isV4(text: string): boolean {
  let octets = 0;
  let start = 0;
  while (octets < 4) {
    const end = endOfOctet(text, start);
    if (end === start) return false;
    octets++;
    if (end === text.length) return octets === 4;
    if (text.charCodeAt(end) !== DOT) return false;
    start = end + 1;
  }
  return false;
}

/** Where an octet that starts here ends; `start` itself if there is none. */
function endOfOctet(text: string, start: number): number {
  let octet = 0;
  let index = start;
  for (; index < text.length; index++) {
    const digit = text.charCodeAt(index) - ZERO;
    if (digit < 0 || digit > 9) break;
    if (index > start && octet === 0) return start;
    octet = octet * 10 + digit;
    if (octet > 255) return start;
  }
  return index;
}

const ZERO = 48;
const DOT = 46;

function parseV6(text: string): Address | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0] ?? "", halves.length === 1);
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? "", true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  return { family: "v6", groups: [...head, ...new Array<number>(missing).fill(0), ...tail] };
}

/** Reads the colon-separated groups of one half; the last may be a dotted v4 address where it ends the whole. */
function parseGroups(text: string, mayEndInV4: boolean): number[] | undefined {
  if (text === "") return [];
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    if (mayEndInV4 && index === parts.length - 1 && part.includes(".")) {
      const v4 = parseV4(part);
      if (v4 === undefined) return undefined;
      const [a = 0, b = 0, c = 0, d = 0] = v4.groups;
      groups.push(a * 256 + b, c * 256 + d);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16));
    } else {
      return undefined;
    }
  }
  return groups;
}

/** One text for one address, as Go's `netip.Addr.String` writes it (RFC 5952; v4-mapped addresses keep their dotted tail). */
export function formatAddress(address: Address): string {
  const { groups } = address;
  if (address.family === "v4") return groups.join(".");
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) return `::ffff:${dotted(groups[6] ?? 0, groups[7] ?? 0)}`;
  const { start, length } = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  return length < 2 ? hex.join(":") : `${hex.slice(0, start).join(":")}::${hex.slice(start + length).join(":")}`;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function longestZeros(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}
