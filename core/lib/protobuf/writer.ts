/** Room for many small messages: a buffer of its own costs more, in time and memory, than what a small one holds. */
const ROOM = 1 << 16;
const TEXT = new TextEncoder();

/** Bytes up to which a message stays where it was written and shares its buffer with others. */
const SMALL = 4096;

/**
 * Writes protobuf's wire format *backwards*: from the last byte of a message to the first. The length of a nested message is then known when its
 * prefix is due, so nothing is measured beforehand and nothing is moved afterwards. Whoever uses it writes fields in descending order, a value before
 * its length, a length before its tag. Messages follow each other downwards through one buffer; a full one is left to those that it holds.
 */
export class Writer {
  private bytes = new Uint8Array(ROOM);
  private view = new DataView(this.bytes.buffer);
  /** Index after the last byte of the message. */
  private end = ROOM;
  /** Index of the first byte written; writing moves it down. */
  private head = ROOM;

  /** How many bytes were written. */
  get size(): number {
    return this.end - this.head;
  }

  clear(): void {
    this.head = this.end;
  }

  /** What was written, never to be changed again; the next message starts. */
  finish(): Uint8Array {
    if (this.size > SMALL) {
      const copy = this.bytes.slice(this.head, this.end);
      this.head = this.end;
      return copy;
    }
    const written = this.bytes.subarray(this.head, this.end);
    this.end = this.head;
    return written;
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.head -= bytes.length;
    this.bytes.set(bytes, this.head);
  }

  byte(value: number): void {
    if (this.head === 0) this.grow(1);
    this.bytes[--this.head] = value;
  }

  /** An unsigned number of at most 32 bits. */
  varint(value: number): void {
    if (value < 0x80) {
      if (this.head === 0) this.grow(1);
      this.bytes[--this.head] = value;
      return;
    }
    this.reserve(5);
    const bytes = this.bytes;
    if (value < 0x4000) {
      bytes[--this.head] = value >>> 7;
    } else if (value < 0x200000) {
      bytes[--this.head] = value >>> 14;
      bytes[--this.head] = (value >>> 7) | 0x80;
    } else if (value < 0x10000000) {
      bytes[--this.head] = value >>> 21;
      bytes[--this.head] = (value >>> 14) | 0x80;
      bytes[--this.head] = (value >>> 7) | 0x80;
    } else {
      bytes[--this.head] = value >>> 28;
      bytes[--this.head] = (value >>> 21) | 0x80;
      bytes[--this.head] = (value >>> 14) | 0x80;
      bytes[--this.head] = (value >>> 7) | 0x80;
    }
    bytes[--this.head] = value | 0x80;
  }

  /** A number of 64 bits, unsigned or in two's complement. */
  varint64(value: bigint): void {
    const rest = BigInt.asUintN(64, value);
    if (rest <= 0xffff_ffffn) {
      this.varint(Number(rest));
      return;
    }
    let shift = 0n;
    while (rest >> (shift + 7n) !== 0n) shift += 7n;
    this.byte(Number((rest >> shift) & 0x7fn));
    while (shift > 0n) {
      shift -= 7n;
      this.byte(Number((rest >> shift) & 0x7fn) | 0x80);
    }
  }

  fixed32(value: number): void {
    this.reserve(4);
    this.head -= 4;
    this.view.setUint32(this.head, value, true);
  }

  fixed64(value: bigint): void {
    this.reserve(8);
    this.head -= 8;
    this.view.setBigUint64(this.head, value, true);
  }

  float(value: number): void {
    this.reserve(4);
    this.head -= 4;
    this.view.setFloat32(this.head, value, true);
  }

  double(value: number): void {
    this.reserve(8);
    this.head -= 8;
    this.view.setFloat64(this.head, value, true);
  }

  /** Text with its length before it. */
  string(text: string): void {
    const mark = this.size;
    this.characters(text);
    this.varint(this.size - mark);
  }

  /** Text alone. Nearly all of it is ASCII, for which a loop beats TextEncoder up to some hundred characters. */
  characters(text: string): void {
    const length = text.length;
    if (length > 200) {
      this.utf8(text);
      return;
    }
    this.reserve(length);
    const bytes = this.bytes;
    const start = this.head - length;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) {
        this.utf8(text);
        return;
      }
      bytes[start + index] = code;
    }
    this.head = start;
  }

  private utf8(text: string): void {
    const most = text.length * 3;
    this.reserve(most);
    const start = this.head - most;
    const { written } = TEXT.encodeInto(text, this.bytes.subarray(start, this.head));
    this.bytes.copyWithin(this.head - written, start, start + written);
    this.head -= written;
  }

  private reserve(size: number): void {
    if (this.head < size) this.grow(size);
  }

  private grow(size: number): void {
    const used = this.size;
    const larger = new Uint8Array(Math.max(ROOM, 2 * (used + size)));
    larger.set(this.bytes.subarray(this.head, this.end), larger.length - used);
    this.end = larger.length;
    this.head = this.end - used;
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }
}
