import { hashBytes } from "#core/lib/hash-bytes.ts";
import { WireCursor } from "./wire-cursor.ts";

const TEXT = new TextDecoder();

/** The text between two positions. */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  return TEXT.decode(bytes.subarray(start, end));
}

/** Looks things up in an encoded message by field number, without decoding the rest; each look-up reads the message's own fields once. */
export class WireView {
  private readonly bytes: Uint8Array;
  private readonly start: number;
  private readonly end: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  /** Every field that is set: the value of a varint, 0 for anything else. */
  summary(): ReadonlyMap<number, number> {
    const found = new Map<number, number>();
    const fields = this.fields();
    while (fields.next()) found.set(fields.number, fields.wireType === 0 ? fields.value : 0);
    return found;
  }

  has(number: number): boolean {
    const fields = this.fields();
    while (fields.next()) if (fields.number === number) return true;
    return false;
  }

  /** How many of these fields are set; an element of a list counts, too. */
  count(numbers: readonly number[]): number {
    let count = 0;
    const fields = this.fields();
    while (fields.next()) if (numbers.includes(fields.number)) count++;
    return count;
  }

  /** A varint; undefined when absent. */
  number(number: number): number | undefined {
    let value: number | undefined;
    const fields = this.fields();
    while (fields.next()) if (fields.number === number) value = fields.value;
    return value;
  }

  /** The value of a wrapper (`google.protobuf.UInt32Value`); undefined when absent. */
  wrapped(number: number): number | undefined {
    const wrapper = this.message(number);
    return wrapper === undefined ? undefined : (wrapper.number(1) ?? 0);
  }

  text(number: number): string | undefined {
    return this.texts(number).at(-1);
  }

  texts(number: number): string[] {
    const found: string[] = [];
    const fields = this.fields();
    while (fields.next()) if (fields.number === number) found.push(decodeText(this.bytes, fields.start, fields.end));
    return found;
  }

  /** Hashes of texts, which tell different ones apart without reading them (hash-bytes.ts). */
  hashes(number: number): number[] {
    const found: number[] = [];
    const fields = this.fields();
    while (fields.next()) if (fields.number === number) found.push(hashBytes(this.bytes, fields.start, fields.end));
    return found;
  }

  message(number: number): WireView | undefined {
    return this.messages(number).at(-1);
  }

  messages(number: number): WireView[] {
    const found: WireView[] = [];
    const fields = this.fields();
    while (fields.next()) if (fields.number === number) found.push(new WireView(this.bytes, fields.start, fields.end));
    return found;
  }

  /** Elements of a list of numbers, packed or not. */
  numbers(number: number): number[] {
    const found: number[] = [];
    const fields = this.fields();
    while (fields.next()) {
      if (fields.number !== number) continue;
      if (fields.wireType === 0) found.push(fields.value);
      else {
        const elements = new WireCursor(this.bytes, fields.start, fields.end);
        while (elements.nextBare()) found.push(elements.value);
      }
    }
    return found;
  }

  private fields(): WireCursor {
    return new WireCursor(this.bytes, this.start, this.end);
  }
}
