/**
 * Reads the fields of one encoded message in turn, without decoding it. After `next()` said true, `number` and `wireType` tell the field; a varint is in
 * `value`, anything else lies between `start` and `end` of `bytes`. Broken input ends the reading and sets `broken`.
 */
export class WireCursor {
  bytes: Uint8Array;
  number = 0;
  wireType = 0;
  /** Of a varint: unsigned, exact up to 2^53. */
  value = 0;
  /** Of a varint: its lower and upper 32 bits. */
  low = 0;
  high = 0;
  start = 0;
  end = 0;
  broken = false;
  private at: number;
  private limit: number;

  constructor(bytes: Uint8Array, start = 0, limit = bytes.length) {
    this.bytes = bytes;
    this.at = start;
    this.limit = limit;
  }

  /** Goes to the start of another message: where they are many, one cursor reads one after the other. */
  reset(bytes: Uint8Array, start: number, limit: number): this {
    this.bytes = bytes;
    this.at = start;
    this.limit = limit;
    this.broken = false;
    this.value = this.low = this.high = this.start = this.end = 0;
    return this;
  }

  next(): boolean {
    if (this.at >= this.limit) return false;
    this.varint();
    this.wireType = this.low & 7;
    this.number = this.low >>> 3;
    if (this.wireType === 0) {
      this.varint();
    } else {
      const length = this.length();
      this.start = this.at;
      this.end = this.at + length;
      this.at = this.end;
    }
    if (this.at > this.limit) this.broken = true;
    return !this.broken;
  }

  /** The next bare varint, as packed lists hold them; false at the end. */
  nextBare(): boolean {
    if (this.at >= this.limit) return false;
    this.varint();
    if (this.at > this.limit) this.broken = true;
    return !this.broken;
  }

  private length(): number {
    switch (this.wireType) {
      case 1:
        return 8;
      case 2:
        this.varint();
        return this.value;
      case 5:
        return 4;
      default:
        // Groups are in none of the types that Envoy takes.
        this.broken = true;
        return 0;
    }
  }

  private varint(): void {
    const bytes = this.bytes;
    let byte = bytes[this.at++] ?? 0;
    if (byte < 0x80) {
      this.low = byte;
      this.high = 0;
      this.value = byte;
      return;
    }
    let low = byte & 0x7f;
    let high = 0;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      if (shift > 63 || this.at >= this.limit) {
        this.broken = true;
        return;
      }
      byte = bytes[this.at++] ?? 0;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
    }
    this.low = low >>> 0;
    this.high = high >>> 0;
    this.value = this.high * 0x1_0000_0000 + this.low;
  }
}
