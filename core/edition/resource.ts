import type { ByteReader } from "#core/lib/byte-reader.ts";
import { ByteWriter } from "#core/lib/byte-writer.ts";
import { digestOf, digestOfParts } from "#core/lib/digest.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { EncodedBytes } from "#core/lib/protobuf/fragment.ts";
import { concatBytes } from "#core/lib/protobuf/splice.ts";
import { type Piece, pieceOf, writePieces } from "./pieces.ts";

/** The xDS types that Almanac serves, in the order in which a stream is answered (xDS spec, "Eventual consistency considerations"). */
export type ResourceType = "clusters" | "endpoints" | "listeners" | "routes" | "secrets" | "extensions" | "names";

/** Names of other resources that a resource makes a proxy ask for or use. */
export interface Needs {
  readonly clusters: readonly string[];
  readonly endpoints: readonly string[];
  readonly routes: readonly string[];
  readonly secrets: readonly string[];
  readonly extensions: readonly string[];
}

/** Of resources that name no others. */
export const NO_NEEDS: Needs = { clusters: [], endpoints: [], routes: [], secrets: [], extensions: [] };

/** One xDS resource in its final form. */
export interface Resource {
  readonly type: ResourceType;
  readonly name: string;
  /** A complete `google.protobuf.Any`, ready for the wire. */
  readonly bytes: Uint8Array;
  /** Of a large resource: what forms `bytes`, one after the other. It is stored so, each part on its own ({@link resourcePieces}). */
  readonly parts?: readonly Uint8Array[];
  /** Of `bytes`, `needs` included: equal digests mean equal resources. */
  readonly digest: string;
  readonly needs: Needs;
  /** The source objects read, losers of allocation included; outside the digest. */
  readonly from: readonly ObjectKey[];
}

/** Must it be sealed before it leaves the process? A secret that is named by paths in the proxy's file system holds no more than these. */
export function isPrivate({ type, name }: Pick<Resource, "type" | "name">): boolean {
  return type === "secrets" && !/^file-(cert|root):/.test(name);
}

/**
 * Finishes a resource: `bytes` is its complete Any (which holds its name), a large one in pieces; `needs` what it names. The digest is that of its stored form,
 * so that whoever reads it from a store can prove it.
 */
// biome-ignore lint/complexity/useMaxParams: these are the five parts of a resource, in its own order
export function makeResource(type: ResourceType, name: string, bytes: EncodedBytes, needs: Needs, from: readonly ObjectKey[]): Resource {
  if (!(bytes instanceof Uint8Array)) return piecedResource({ type, name, needs, from }, bytes);
  scratch.reset();
  writeNeeds(needs, scratch);
  return { type, name, bytes, digest: bytes.length < LARGE ? digestWith(bytes) : digestOfParts(scratch.view(), bytes), needs, from };
}

/** Put together when somebody asks for the whole: who only publishes does not. */
function piecedResource(described: Pick<Resource, "type" | "name" | "needs" | "from">, parts: readonly Uint8Array[]): Resource {
  const pieces = piecesOf(described.needs, parts);
  scratch.reset();
  writePieces(pieces, scratch);
  let whole: Uint8Array | undefined;
  return {
    ...described,
    get bytes() {
      whole ??= concatBytes(parts);
      return whole;
    },
    digest: digestOf(scratch.view()),
    parts,
  };
}

/** What a large resource is stored in: its needs, then its parts. Undefined for one that is stored whole. */
export function resourcePieces({ needs, parts }: Pick<Resource, "needs" | "parts">): readonly Piece[] | undefined {
  return parts && piecesOf(needs, parts);
}

function piecesOf({ clusters, endpoints, routes, secrets, extensions }: Needs, parts: readonly Uint8Array[]): readonly Piece[] {
  return [pieceOf(encodedNeeds(clusters, endpoints, routes, secrets, extensions)), ...parts.map((part) => pieceOf(part))];
}

const encodedNeeds = memoize((...[clusters, endpoints, routes, secrets, extensions]: readonly (readonly string[])[]): Uint8Array => {
  scratch.reset();
  writeNeeds({ clusters, endpoints, routes, secrets, extensions } as Needs, scratch);
  return scratch.take();
});

/** Bytes from which on copying them costs more than hashing in two steps. */
const LARGE = 16 * 1024;

/** Of what is in `scratch`, and bytes after it. */
function digestWith(bytes: Uint8Array): string {
  scratch.bytes(bytes);
  return digestOf(scratch.view());
}

const scratch = new ByteWriter(64 * 1024);

/** In stored order, which never changes: a new type goes to the end. */
const NEEDED = ["clusters", "endpoints", "routes", "secrets", "extensions"] as const satisfies readonly (keyof Needs)[];

/** Writes a resource's stored form: how many kinds of needs follow, for each its count and names, then the bytes; or where its pieces are. */
export function writeResource(resource: Pick<Resource, "needs" | "bytes" | "parts">, writer: ByteWriter): void {
  const pieces = resourcePieces(resource);
  if (pieces !== undefined) {
    writePieces(pieces, writer);
    return;
  }
  writeNeeds(resource.needs, writer);
  writer.bytes(resource.bytes);
}

function writeNeeds(needs: Needs, writer: ByteWriter): void {
  const kinds = NEEDED.findLastIndex((kind) => needs[kind].length > 0) + 1;
  writer.varint(kinds);
  for (const kind of NEEDED.slice(0, kinds)) writeNames(needs[kind], writer);
}

function writeNames(names: readonly string[], writer: ByteWriter): void {
  if (names.length > MANY) {
    writer.bytes(encodedNames(names));
    return;
  }
  writer.varint(names.length);
  for (const name of names) writer.text(name);
}

/** Names from which on their encoding is remembered. */
const MANY = 100;

const encodedNames = memoize((names: readonly string[]): Uint8Array => {
  const writer = new ByteWriter(64 * names.length);
  writer.varint(names.length);
  for (const name of names) writer.text(name);
  return writer.take();
});

/** Reads the needs of a stored resource and leaves the reader where its bytes start. */
export function readNeeds(reader: ByteReader): Needs {
  const kinds = reader.varint();
  if (kinds === 0) return NO_NEEDS;
  const [clusters = [], endpoints = [], routes = [], secrets = [], extensions = []] = Array.from({ length: kinds }, () => readNames(reader));
  return { clusters, endpoints, routes, secrets, extensions };
}

function readNames(reader: ByteReader): readonly string[] {
  return Array.from({ length: reader.varint() }, () => reader.text());
}
