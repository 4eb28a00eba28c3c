import { fromBinary } from "@bufbuild/protobuf";
import { type NodeMessage, nodeOfFields } from "#core/node/message.ts";
import type { DeltaRequest, Rejection, SotwRequest } from "#core/xds/input.ts";
import type { Protocol } from "#core/xds/session.ts";
import type { Node } from "#proto/envoy/config/core/v3/base_pb.js";
import { DeltaDiscoveryRequestSchema, DiscoveryRequestSchema } from "#proto/envoy/service/discovery/v3/discovery_pb.js";
import type { Status } from "#proto/google/rpc/status_pb.js";

/** A request as it came, with the node if it has one. */
export interface Received<R> {
  readonly node: NodeMessage | undefined;
  readonly request: R;
}

/** Reads a request of either protocol. Throws for bytes that are none. */
export function readRequest(protocol: Protocol, bytes: Uint8Array): Received<SotwRequest | DeltaRequest> {
  return protocol === "sotw" ? readSotw(bytes) : readDelta(bytes);
}

function readSotw(bytes: Uint8Array): Received<SotwRequest> {
  const { node, typeUrl, versionInfo, responseNonce, resourceNames, errorDetail } = fromBinary(DiscoveryRequestSchema, bytes);
  return { node: nodeOf(node), request: { url: typeUrl, version: versionInfo, nonce: responseNonce, names: resourceNames, ...errorOf(errorDetail) } };
}

function readDelta(bytes: Uint8Array): Received<DeltaRequest> {
  const { node, typeUrl, responseNonce, errorDetail, ...lists } = fromBinary(DeltaDiscoveryRequestSchema, bytes);
  const { resourceNamesSubscribe: subscribe, resourceNamesUnsubscribe: unsubscribe, initialResourceVersions: held } = lists;
  return { node: nodeOf(node), request: { url: typeUrl, nonce: responseNonce, subscribe, unsubscribe, held, ...errorOf(errorDetail) } };
}

function nodeOf(node: Node | undefined): NodeMessage | undefined {
  return node && nodeOfFields(node);
}

function errorOf(status: Status | undefined): { readonly error?: Rejection } {
  return status === undefined ? {} : { error: { code: status.code, message: status.message } };
}
