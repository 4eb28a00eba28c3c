import { ByteReader } from "#core/lib/byte-reader.ts";
import type { ByteWriter } from "#core/lib/byte-writer.ts";
import type { Records } from "./records.ts";
import { isPrivate, type Needs, NO_NEEDS, type Resource, readNeeds, writeResource } from "./resource.ts";
import type { Sealed } from "./seal.ts";
import type { Entry } from "./view.ts";

/** Stands in a layer for a name that the layers below it may have and this node must not. */
export const ABSENT: Entry = { digest: "0".repeat(40), needs: NO_NEEDS };

/** A resource of a loaded edition: known by digest, its needs read when asked for. */
export class StoredEntry implements Entry {
  readonly digest: string;
  readonly #records: Records;
  #needs: Needs | undefined;

  constructor(digest: string, records: Records) {
    this.digest = digest;
    this.#records = records;
  }

  get needs(): Needs {
    this.#needs ??= this.#read()?.needs ?? NO_NEEDS;
    return this.#needs;
  }

  /** Undefined if it is sealed and the key is not here. */
  bytes(): Uint8Array | undefined {
    return this.#read()?.bytes;
  }

  write(writer: ByteWriter): void {
    writer.bytes(this.#records.read(this.digest));
  }

  #read(): Stored | undefined {
    const record = this.#records.open(this.digest);
    return record === undefined ? undefined : readResource(record);
  }
}

interface Stored {
  readonly needs: Needs;
  readonly bytes: Uint8Array;
}

/** A stored resource's parts; the bytes are a view of the record. */
export function readResource(record: Uint8Array): Stored {
  const reader = new ByteReader(record);
  const needs = readNeeds(reader);
  return { needs, bytes: record.subarray(reader.offset) };
}

/** Writes the stored form of a layer's entry: a resource just made, or one read from a store. For {@link ABSENT} nothing is stored. */
export function writeEntry(entry: Entry, writer: ByteWriter): void {
  if (entry instanceof StoredEntry) {
    entry.write(writer);
    return;
  }
  const resource = entry as Resource & Partial<Sealed>;
  if (resource.sealed !== undefined) writer.bytes(resource.sealed);
  else if (!isPrivate(resource)) writeResource(resource.needs, resource.bytes, writer);
  else throw new Error(`secret ${resource.name} must be sealed before it goes into a layer`);
}
