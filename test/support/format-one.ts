import { createHash } from "node:crypto";
import { brotli } from "#functions/io/compression.ts";

/**
 * What a release before large resources were kept in pieces left in a store: one edition, in one pack of format 1, and the root. Written out here by the form
 * alone, as docs/design/0002 and the history of `core/edition` have it, and by none of the code that writes packs today:
 *
 *     pack      "ALM" 1, digest of the edition, generation, packs that complete it; chunks (served?, length, stored length); records (digests sorted,
 *               then offset and length of each in the content as a whole); the chunks, compressed
 *     edition   JSON, keys sorted: facts, and of each tree {digest, size}
 *     tree      a leaf (0): count, names, digests. More than 32 entries would need branches: this writes none
 *     layer     size and digest of its resources and of their provenance
 *     resource  how many kinds of needs follow (clusters come first), for each a count and names; then the bytes, whole however many they are
 *
 * Integers are varints, texts have their length in bytes before them, a digest is the first 20 bytes of a SHA-256.
 */
export interface OldEdition {
  /** By layer key; at most 32 of each. */
  readonly layers: Readonly<Record<string, readonly OldResource[]>>;
  /** By name, at most 32: `field` or `field/key`. */
  readonly rules: Documents;
  /** By `cluster/kind/namespace/name`, at most 32. */
  readonly inventory: Documents;
}

export interface OldResource {
  readonly type: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Clusters that it names. */
  readonly clusters: readonly string[];
  /** Source objects that it was made from. */
  readonly from: readonly string[];
}

type Documents = Readonly<Record<string, unknown>>;

/** The store's objects by key. */
export function storeOfFormatOne(old: OldEdition): ReadonlyMap<string, Uint8Array> {
  const served: Bytes[] = [];
  const kept: Bytes[] = [];
  const layers = Object.entries(old.layers).map(([key, resources]) => [key, record(layerOf(resources, served, kept), served)] as const);
  const edition = canonical({
    format: 1,
    generation: 1,
    builder: "an earlier release",
    cause: { total: 0, keys: [] },
    layers: treeOf(layers, served),
    rules: documentsOf(old.rules, served),
    directory: documentsOf({}, served),
    census: documentsOf({}, kept),
    diagnostics: documentsOf({}, kept),
    inventory: documentsOf(old.inventory, kept),
  });
  const id = record(utf8(edition), served);
  const pack = packOf(id, served, kept);
  const name = "0000000001-old";
  const ref = { edition: id.toString("hex"), generation: 1 };
  const packs = [{ name, checksum: sha256(pack).toString("base64url"), size: pack.length }];
  const root = `${JSON.stringify({ format: 1, generation: 1, nonce: "n", head: ref, served: ref, packs })}\n`;
  return new Map<string, Uint8Array>([
    [`packs/${name}`, new Uint8Array(pack)],
    ["root", new Uint8Array(utf8(root))],
  ]);
}

type Bytes = Buffer;

function layerOf(resources: readonly OldResource[], served: Bytes[], kept: Bytes[]): Bytes {
  const nameOf = ({ type, name }: OldResource): string => `${type}/${name}`;
  const bodies = resources.map((resource) => [nameOf(resource), record(resourceOf(resource), served)] as const);
  const from = resources.map((resource) => [nameOf(resource), record(utf8(JSON.stringify(resource.from)), kept)] as const);
  return Buffer.concat([treeOf(bodies, served), treeOf(from, kept)].map(({ digest, size }) => Buffer.concat([varint(size), hex(digest)])));
}

function resourceOf({ clusters, bytes }: OldResource): Bytes {
  const needs = clusters.length === 0 ? [varint(0)] : [varint(1), varint(clusters.length), ...clusters.map(text)];
  return Buffer.concat([...needs, bytes]);
}

function documentsOf(documents: Documents, into: Bytes[]) {
  return treeOf(
    Object.entries(documents).map(([name, value]) => [name, record(utf8(canonical(value)), into)] as const),
    into,
  );
}

/** Of names and digests. The tree without entries has a digest, but is not stored. */
function treeOf(entries: readonly (readonly [name: string, digest: Bytes])[], into: Bytes[]) {
  if (entries.length > 32) throw new Error("this writes no branches");
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const leaf = Buffer.concat([varint(0), varint(sorted.length), ...sorted.map(([name]) => text(name)), ...sorted.map(([, digest]) => digest)]);
  const digest = record(leaf, sorted.length === 0 ? [] : into);
  return { digest: digest.toString("hex"), size: sorted.length };
}

function packOf(edition: Bytes, served: readonly Bytes[], kept: readonly Bytes[]): Bytes {
  const chunks = [...chunksOf(served), ...chunksOf(kept)];
  const compressed = chunks.map((chunk) => brotli.compress(chunk));
  const table = chunks.map((chunk, index) => {
    const isServed = index < chunksOf(served).length;
    return Buffer.concat([varint(isServed ? 1 : 0), varint(chunk.length), varint(compressed[index]?.length ?? 0)]);
  });
  const header = [Buffer.from("ALM"), varint(1), edition, varint(1), varint(0)];
  return Buffer.concat([...header, varint(chunks.length), ...table, ...indexOf([...served, ...kept]), ...compressed]);
}

/** Content is cut after the record that fills 64 KiB. */
function chunksOf(records: readonly Bytes[]): readonly Bytes[] {
  const chunks: Bytes[] = [];
  let open: Bytes[] = [];
  for (const [index, bytes] of records.entries()) {
    open.push(bytes);
    if (Buffer.concat(open).length < 64 * 1024 && index < records.length - 1) continue;
    chunks.push(Buffer.concat(open));
    open = [];
  }
  return chunks;
}

function indexOf(records: readonly Bytes[]): readonly Bytes[] {
  let end = 0;
  const places = records.map((bytes) => {
    end += bytes.length;
    return { digest: digestOf(bytes), place: Buffer.concat([varint(end - bytes.length), varint(bytes.length)]) };
  });
  places.sort((a, b) => a.digest.compare(b.digest));
  return [varint(places.length), ...places.map(({ digest }) => digest), ...places.map(({ place }) => place)];
}

/** Each content once. */
function record(content: Bytes, into: Bytes[]): Bytes {
  if (!into.some((other) => other.equals(content))) into.push(content);
  return digestOf(content);
}

function digestOf(content: Bytes): Bytes {
  return sha256(content).subarray(0, 20);
}

function sha256(content: Bytes): Bytes {
  return createHash("sha256").update(content).digest();
}

function varint(value: number): Bytes {
  return value < 128 ? Buffer.of(value) : Buffer.concat([Buffer.of((value % 128) + 128), varint(Math.floor(value / 128))]);
}

function text(value: string): Bytes {
  return Buffer.concat([varint(Buffer.byteLength(value)), utf8(value)]);
}

function utf8(value: string): Bytes {
  return Buffer.from(value, "utf8");
}

function hex(value: string): Bytes {
  return Buffer.from(value, "hex");
}

/** JSON with keys sorted. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(",")}}`;
}
