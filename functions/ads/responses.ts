import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { encodeAny } from "#core/lib/protobuf/encode.ts";
import { EMPTY_ASSIGNMENT, type Item } from "#core/xds/offer.ts";
import type { Answer } from "#core/xds/output.ts";
import type { Protocol } from "#core/xds/session.ts";
import { ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";

/** Clients that keep gRPC's default take no message larger than this. */
export const CLIENT_LIMIT = 4 * 1024 * 1024;

/** Delta answers are split below it, with room for what surrounds the resources. */
const PART_LIMIT = 3 * 1024 * 1024;

/** Says who answers, in every response (`control_plane.identifier`). */
const IDENTIFIER = "almanac";

/** Where the bytes of a resource come from. */
export type BytesOf = (digest: string) => Uint8Array;

/** One message on the wire and its nonce. */
export interface Part {
  readonly nonce: string;
  readonly bytes: Uint8Array;
}

/** A nonce of an earlier part names its answer too; the last part carries the answer's own. */
const PART_MARK = ".";

/**
 * The messages of an answer: one, or for a large delta answer several. Resources are ready `Any` bytes that are copied, never decoded, and joined once for
 * all streams that get the same ones.
 */
export function writeAnswer(protocol: Protocol, answer: Answer, bytesOf: BytesOf): readonly Part[] {
  const chunks = chunksOf(protocol, answer.items, bytesOf);
  return chunks.map((chunk, index) => {
    const last = index === chunks.length - 1;
    const nonce = last ? answer.nonce : `${answer.nonce}${PART_MARK}${index}`;
    return {
      nonce,
      bytes: protocol === "sotw" ? sotwMessage(answer, nonce, chunk) : deltaMessage(answer, nonce, { chunk, removed: last ? answer.removed : [] }),
    };
  });
}

/** The nonce that a session knows: an earlier part that was accepted settles nothing, one that was refused settles its answer. */
export function answerNonce(nonce: string, refused: boolean): string {
  const at = nonce.indexOf(PART_MARK);
  return refused && at > 0 ? nonce.slice(0, at) : nonce;
}

// envoy/service/discovery/v3/discovery.proto: field numbers of DiscoveryResponse, DeltaDiscoveryResponse and Resource.
const RESPONSE = { version: 1, resources: 2, typeUrl: 4, nonce: 5, controlPlane: 6 };
const DELTA_RESPONSE = { version: 1, resources: 2, typeUrl: 4, nonce: 5, removed: 6, controlPlane: 7 };
const RESOURCE = { version: 1, resource: 2, name: 3 };
const CONTROL_PLANE_IDENTIFIER = 1;

const controlPlane = new BinaryWriter().tag(CONTROL_PLANE_IDENTIFIER, WireType.LengthDelimited).string(IDENTIFIER).finish();

function sotwMessage({ version, url }: Answer, nonce: string, chunk: Uint8Array): Uint8Array {
  const frame = new BinaryWriter();
  text(frame, RESPONSE.version, version);
  text(frame, RESPONSE.typeUrl, url);
  text(frame, RESPONSE.nonce, nonce);
  frame.tag(RESPONSE.controlPlane, WireType.LengthDelimited).bytes(controlPlane);
  return Buffer.concat([chunk, frame.finish()]);
}

function deltaMessage({ version, url }: Answer, nonce: string, content: { chunk: Uint8Array; removed: readonly string[] }): Uint8Array {
  const frame = new BinaryWriter();
  text(frame, DELTA_RESPONSE.version, version);
  text(frame, DELTA_RESPONSE.typeUrl, url);
  text(frame, DELTA_RESPONSE.nonce, nonce);
  for (const name of content.removed) frame.tag(DELTA_RESPONSE.removed, WireType.LengthDelimited).string(name);
  frame.tag(DELTA_RESPONSE.controlPlane, WireType.LengthDelimited).bytes(controlPlane);
  return Buffer.concat([content.chunk, frame.finish()]);
}

function text(writer: BinaryWriter, field: number, value: string): void {
  if (value !== "") writer.tag(field, WireType.LengthDelimited).string(value);
}

/** By the identity of the resources, which all streams that get the same ones share. */
const joined: Readonly<Record<Protocol, WeakMap<readonly Item[], readonly Uint8Array[]>>> = { sotw: new WeakMap(), delta: new WeakMap() };

function chunksOf(protocol: Protocol, items: readonly Item[], bytesOf: BytesOf): readonly Uint8Array[] {
  const known = joined[protocol].get(items);
  if (known !== undefined) return known;
  const pieces = items.map((item) => piece(protocol, item, bytesOf));
  const chunks = protocol === "sotw" ? [Buffer.concat(pieces)] : splitPieces(pieces);
  joined[protocol].set(items, chunks);
  return chunks;
}

function splitPieces(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
  const parts: Uint8Array[][] = [[]];
  let size = 0;
  for (const one of pieces) {
    if (size > 0 && size + one.length > PART_LIMIT) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(one);
    size += one.length;
  }
  return parts.map((part) => Buffer.concat(part));
}

/** Field 2 of either response: an `Any`, or a `Resource` around it. */
function piece(protocol: Protocol, { name, entry }: Item, bytesOf: BytesOf): Uint8Array {
  const any = entry === EMPTY_ASSIGNMENT ? encodeAny(ClusterLoadAssignmentSchema, { clusterName: name }) : bytesOf(entry.digest);
  if (protocol === "sotw") return new BinaryWriter().tag(RESPONSE.resources, WireType.LengthDelimited).bytes(any).finish();
  const resource = new BinaryWriter();
  text(resource, RESOURCE.version, entry.digest);
  resource.tag(RESOURCE.resource, WireType.LengthDelimited).bytes(any);
  text(resource, RESOURCE.name, name);
  return new BinaryWriter().tag(DELTA_RESPONSE.resources, WireType.LengthDelimited).bytes(resource.finish()).finish();
}
