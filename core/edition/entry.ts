import { ByteReader } from "#core/lib/byte-reader.ts";
import type { ByteWriter } from "#core/lib/byte-writer.ts";
import { concatBytes } from "#core/lib/protobuf/splice.ts";
import { pieceDigests } from "./pieces.ts";
import type { Records } from "./records.ts";
import { isPrivate, type Needs, NO_NEEDS, type Resource, readNeeds, resourcePieces, writeResource } from "./resource.ts";
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
    if (this.#needs !== undefined) return this.#needs;
    const record = this.#records.open(this.digest);
    this.#needs = record === undefined ? NO_NEEDS : storedNeeds(record, (digest) => this.#records.read(digest));
    return this.#needs;
  }

  /** False if it is sealed and the key is not here. */
  get isReadable(): boolean {
    return this.#records.open(this.digest) !== undefined;
  }

  write(writer: ByteWriter): void {
    writer.bytes(this.#records.read(this.digest));
  }

  /** What is stored apart of it. */
  pieces(): readonly StoredPiece[] {
    const digests = pieceDigests(this.#records.read(this.digest)) ?? [];
    return digests.map((digest) => ({ digest, write: (writer) => writer.bytes(this.#records.read(digest)) }));
  }
}

/** A piece of a resource, wherever it is held. */
export interface StoredPiece {
  readonly digest: string;
  write(writer: ByteWriter): void;
}

const NO_PIECES: readonly StoredPiece[] = [];

/** Pieces of a layer's entry, which are stored beside it. */
export function entryPieces(entry: Entry): readonly StoredPiece[] {
  if (entry instanceof StoredEntry) return entry.pieces();
  return resourcePieces(entry as Resource)?.map(({ digest, bytes }) => ({ digest, write: (writer) => writer.bytes(bytes) })) ?? NO_PIECES;
}

/** Reads the record of a piece. */
type ReadPiece = (digest: string) => Uint8Array;

/** The needs in a resource's stored form. */
export function storedNeeds(record: Uint8Array, read: ReadPiece): Needs {
  const [needs] = pieceDigests(record) ?? [];
  return readNeeds(new ByteReader(needs === undefined ? record : read(needs)));
}

/** The bytes in a resource's stored form: a view of the record, or put together from its pieces. */
export function storedBytes(record: Uint8Array, read: ReadPiece): Uint8Array {
  const digests = pieceDigests(record);
  if (digests !== undefined) return concatBytes(digests.slice(1).map(read));
  const reader = new ByteReader(record);
  readNeeds(reader);
  return record.subarray(reader.offset);
}

/** Writes the stored form of a layer's entry: a resource just made, or one read from a store. For {@link ABSENT} nothing is stored. */
export function writeEntry(entry: Entry, writer: ByteWriter): void {
  if (entry instanceof StoredEntry) {
    entry.write(writer);
    return;
  }
  const resource = entry as Resource & Partial<Sealed>;
  if (resource.sealed !== undefined) writer.bytes(resource.sealed);
  else if (!isPrivate(resource)) writeResource(resource, writer);
  else throw new Error(`secret ${resource.name} must be sealed before it goes into a layer`);
}
