import { encodeAny } from "#core/lib/protobuf/encode.ts";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";
import type { VirtualHostFragment } from "./virtual-host.ts";

export interface RouteConfigurationFields {
  readonly name: string;
  readonly virtualHosts: readonly VirtualHostFragment[];
  /** Absent: Envoy's 4 KiB. */
  readonly maxDirectResponseBodyBytes?: number;
  readonly ignorePortInHostMatching: boolean;
}

/** A complete Any. Clusters are never validated: a route may name one that comes later. */
export function encodeRouteConfiguration(fields: RouteConfigurationFields): Uint8Array {
  const { maxDirectResponseBodyBytes } = fields;
  return encodeAny(RouteConfigurationSchema, {
    name: fields.name,
    virtualHosts: [...fields.virtualHosts],
    validateClusters: false,
    ...(maxDirectResponseBodyBytes === undefined ? {} : { maxDirectResponseBodySizeBytes: maxDirectResponseBodyBytes }),
    ignorePortInHostMatching: fields.ignorePortInHostMatching,
  });
}
