import { ByteWriter } from "#core/lib/byte-writer.ts";

/** Gathers stored content one record after the other, each digest once. Content lies in one buffer: there may be hundreds of thousands of records. */
export class RecordList {
  readonly digests: string[] = [];
  /** Where each record ends in the content. */
  readonly ends: number[] = [];
  readonly #known = new Set<string>();
  readonly #writer = new ByteWriter(16 * 1024);

  add(digest: string, write: (writer: ByteWriter) => void): void {
    if (this.#known.has(digest)) return;
    this.#known.add(digest);
    this.digests.push(digest);
    write(this.#writer);
    this.ends.push(this.#writer.length);
  }

  /** All records; valid until the next is added. */
  get content(): Uint8Array {
    return this.#writer.view();
  }
}
