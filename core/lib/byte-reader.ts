const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads what a ByteWriter wrote. Throws RangeError where the bytes end too early: they were stored by us and checked, so that is damage, not a mistake. */
export class ByteReader {
  readonly #source: Uint8Array;
  #offset: number;

  constructor(source: Uint8Array, offset = 0) {
    this.#source = source;
    this.#offset = offset;
  }

  get offset(): number {
    return this.#offset;
  }

  get done(): boolean {
    return this.#offset >= this.#source.length;
  }

  byte(): number {
    const value = this.#source[this.#offset];
    if (value === undefined) throw new RangeError(`stored bytes end at ${this.#offset}`);
    this.#offset++;
    return value;
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const next = this.byte();
      value += (next & 127) * scale;
      if (next < 128) return value;
      scale *= 128;
    }
  }

  /** A view, not a copy. */
  bytes(count: number): Uint8Array {
    const end = this.#offset + count;
    if (end > this.#source.length) throw new RangeError(`stored bytes end before ${end}`);
    const taken = this.#source.subarray(this.#offset, end);
    this.#offset = end;
    return taken;
  }

  text(): string {
    return decoder.decode(this.bytes(this.varint()));
  }
}
