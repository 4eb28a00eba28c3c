import type { DescMessage } from "@bufbuild/protobuf";
import { hashBytes } from "#core/lib/hash-bytes.ts";
import { decodeText } from "#core/lib/protobuf/wire-view.ts";

interface Known {
  readonly url: Uint8Array;
  readonly schema: DescMessage | undefined;
}

/** Far more than there are types; a bound all the same, as patches may name any. */
const MOST_KNOWN = 1000;

/** Bytes of a URL that are hashed. */
const TAIL = 24;

/** Finds message types by the bytes of their type URLs, so that a URL met before is compared, not decoded. */
export class TypeFinder {
  private readonly typeOf: (typeUrl: string) => DescMessage | undefined;
  private readonly known = new Map<number, Known>();

  /** `typeOf` says undefined of types that are not to be looked into. */
  constructor(typeOf: (typeUrl: string) => DescMessage | undefined) {
    this.typeOf = typeOf;
  }

  find(bytes: Uint8Array, start: number, end: number): DescMessage | undefined {
    // Type URLs differ in how they end.
    const hash = hashBytes(bytes, Math.max(start, end - TAIL), end);
    const known = this.known.get(hash);
    if (known !== undefined && isEqual(known.url, bytes, start, end)) return known.schema;
    const schema = this.typeOf(decodeText(bytes, start, end));
    if (known === undefined && this.known.size < MOST_KNOWN) this.known.set(hash, { url: bytes.slice(start, end), schema });
    return schema;
  }
}

function isEqual(url: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (url.length !== end - start) return false;
  for (let index = 0; index < url.length; index++) if (url[index] !== bytes[start + index]) return false;
  return true;
}
