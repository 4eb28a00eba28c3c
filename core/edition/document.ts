import type { ByteWriter } from "#core/lib/byte-writer.ts";
import { canonicalText, parseCanonical } from "#core/lib/canonical.ts";
import { digestOf } from "#core/lib/digest.ts";
import type { Records } from "./records.ts";
import { type Sealer, sealRecord } from "./sealer.ts";
import type { Named, Tree } from "./tree.ts";

/** A plain value as an edition stores it: canonical JSON with bytes and bigints. Inventory, directory, rules, census and diagnostics are trees of documents. */
export interface Document<T = unknown> extends Named {
  /** Undefined only for a sealed document without its key. */
  readonly value: T | undefined;
  /** Writes its stored form. */
  write(writer: ByteWriter): void;
}

export type Documents<T = unknown> = Tree<Document<T>>;

/** A document of a value; `form` gives what is stored of it where that is less (an object without its origin). */
export function makeDocument<T>(value: T, form: (value: T) => unknown = itself): Document<T> {
  return new MadeDocument(value, form, digestOf(canonicalText(form(value))));
}

/** As {@link makeDocument}, of a value whose form's digest is known already. */
export function knownDocument<T>(value: T, digest: string, form: (value: T) => unknown = itself): Document<T> {
  return new MadeDocument(value, form, digest);
}

function itself<T>(value: T): T {
  return value;
}

/** Holds no text: most are written once, and there may be hundreds of thousands. */
class MadeDocument<T> implements Document<T> {
  readonly value: T;
  readonly digest: string;
  readonly #form: (value: T) => unknown;

  constructor(value: T, form: (value: T) => unknown, digest: string) {
    this.value = value;
    this.digest = digest;
    this.#form = form;
  }

  write(writer: ByteWriter): void {
    writer.utf8(canonicalText(this.#form(this.value)));
  }
}

/** A document that is stored sealed, under a keyed digest. */
export function sealDocument<T>(value: T, sealer: Sealer, form: (value: T) => unknown = itself): Document<T> {
  const content = new TextEncoder().encode(canonicalText(form(value)));
  const digest = sealer.digest(content);
  return { digest, value, write: (writer) => writer.bytes(sealRecord(content, digest, sealer)) };
}

/** A document of a loaded edition, read when it is looked at. */
export class StoredDocument<T> implements Document<T> {
  readonly digest: string;
  readonly #records: Records;
  #value: T | undefined;

  constructor(digest: string, records: Records) {
    this.digest = digest;
    this.#records = records;
  }

  get value(): T | undefined {
    if (this.#value !== undefined) return this.#value;
    const content = this.#records.open(this.digest);
    if (content === undefined) return undefined;
    this.#value = parseCanonical(decoder.decode(content)) as T;
    return this.#value;
  }

  write(writer: ByteWriter): void {
    writer.bytes(this.#records.read(this.digest));
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
