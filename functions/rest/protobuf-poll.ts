import { fromBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { encodeAny } from "#core/lib/protobuf/encode.ts";
import { nodeOfFields } from "#core/node/message.ts";
import { EMPTY_ASSIGNMENT } from "#core/xds/offer.ts";
import type { PollAnswer } from "#core/xds/poll.ts";
import type { Serving } from "#core/xds/serving.ts";
import { ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";
import { type DiscoveryRequest, DiscoveryRequestSchema } from "#proto/envoy/service/discovery/v3/discovery_pb.js";
import { ServiceFailure } from "../io/errors.ts";
import type { Poll } from "./discovery-request.ts";

/** Media type of bodies in protobuf's wire format. */
export const PROTOBUF = "application/x-protobuf";

/** Is a body with this content type in protobuf's wire format? */
export function isProtobuf(contentType: string | undefined): boolean {
  return /^application\/(x-protobuf|protobuf|vnd\.google\.protobuf|octet-stream)\b/.test(contentType ?? "");
}

/** Reads a `DiscoveryRequest`. Throws {@link ServiceFailure} `invalid`. */
export function readPollProtobuf(bytes: Uint8Array): Poll {
  const { node, versionInfo, resourceNames, typeUrl } = decode(bytes);
  if (node === undefined) throw new ServiceFailure("invalid", "the request must carry a node");
  return { node: nodeOfFields(node), version: versionInfo, names: resourceNames, url: typeUrl };
}

function decode(bytes: Uint8Array): DiscoveryRequest {
  try {
    return fromBinary(DiscoveryRequestSchema, bytes);
  } catch (cause) {
    throw new ServiceFailure("invalid", "the body is not a discovery request", { cause });
  }
}

// envoy/service/discovery/v3/discovery.proto: field numbers of DiscoveryResponse.
const VERSION = 1;
const RESOURCES = 2;
const TYPE_URL = 4;

/** A `DiscoveryResponse` of ready `Any` bytes. */
export function responseProtobuf(url: string, { version, items }: PollAnswer, { blobs }: Serving): Uint8Array {
  const writer = new BinaryWriter().tag(VERSION, WireType.LengthDelimited).string(version);
  for (const { name, entry } of items) {
    const any = entry === EMPTY_ASSIGNMENT ? encodeAny(ClusterLoadAssignmentSchema, { clusterName: name }) : blobs.bytes(entry.digest);
    writer.tag(RESOURCES, WireType.LengthDelimited).bytes(any);
  }
  return writer.tag(TYPE_URL, WireType.LengthDelimited).string(url).finish();
}
