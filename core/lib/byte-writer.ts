const encoder = new TextEncoder();

/** Characters up to which text is written by a loop. */
const SHORT = 96;

/** Writes bytes one after the other into a buffer that grows; kept and reset by whoever writes often. */
export class ByteWriter {
  #buffer: Uint8Array;
  #length = 0;

  constructor(capacity = 4096) {
    this.#buffer = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  reset(): void {
    this.#length = 0;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
  }

  /** An unsigned integer below 2^53 as a base-128 varint. */
  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest > 127) {
      this.#buffer[this.#length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#buffer[this.#length++] = rest;
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#buffer.set(value, this.#length);
    this.#length += value.length;
  }

  /** UTF-8 text with its length in bytes before it. */
  text(value: string): void {
    // All at once: a buffer that grew later would not take along what lies beyond its length for a moment.
    this.#reserve(8 + 3 * value.length);
    const start = this.#length;
    const room = varintSize(value.length);
    this.#length += room;
    this.utf8(value);
    const written = this.#length - start - room;
    const size = varintSize(written);
    if (size !== room) this.#buffer.copyWithin(start + size, start + room, this.#length);
    this.#length = start;
    this.varint(written);
    this.#length += written;
  }

  /** UTF-8 text as it is: nothing says where it ends. */
  utf8(value: string): void {
    this.#reserve(3 * value.length);
    if (value.length > SHORT || !this.#ascii(value)) this.#length += encoder.encodeInto(value, this.#buffer.subarray(this.#length)).written;
  }

  /** Names are mostly short and plain: then a loop is faster than a call out of the engine. */
  #ascii(value: string): boolean {
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index);
      if (code > 127) return false;
      this.#buffer[this.#length + index] = code;
    }
    this.#length += value.length;
    return true;
  }

  /** Room for `count` bytes that the caller fills in: the buffer and where they start. */
  claim(count: number): { readonly buffer: Uint8Array; readonly offset: number } {
    this.#reserve(count);
    const offset = this.#length;
    this.#length += count;
    return { buffer: this.#buffer, offset };
  }

  /** What was written since the last reset; valid until the next write. */
  view(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** A copy of what was written. */
  take(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  #reserve(count: number): void {
    const wanted = this.#length + count;
    if (wanted <= this.#buffer.length) return;
    const grown = new Uint8Array(Math.max(wanted, 2 * this.#buffer.length));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}

/** Bytes that a varint takes. */
function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size++;
  return size;
}
