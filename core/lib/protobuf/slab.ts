/** Large enough that its own cost does not count, small enough that little is held on to by a piece that outlives its neighbours. */
const SLAB_BYTES = 32 * 1024;

/** Bytes up to which a loop is faster than a call out of the engine. */
const LOOP = 160;

/** Cuts small copies from shared buffers: a buffer of its own costs more, in time and memory, than what a small piece holds. */
export class Slab {
  #bytes = new Uint8Array(0);
  #used = 0;

  /** A copy of what lies from `start` to the end. */
  copy(source: Uint8Array, start: number): Uint8Array {
    const size = source.length - start;
    if (this.#used + size > this.#bytes.length) {
      this.#bytes = new Uint8Array(Math.max(SLAB_BYTES, size));
      this.#used = 0;
    }
    const target = this.#bytes;
    const from = this.#used;
    if (size > LOOP) target.set(source.subarray(start), from);
    else for (let index = 0; index < size; index++) target[from + index] = source[start + index] as number;
    this.#used = from + size;
    return target.subarray(from, from + size);
  }
}
