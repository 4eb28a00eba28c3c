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
  const { name, virtualHosts, maxDirectResponseBodyBytes, ignorePortInHostMatching } = fields;
  const bytes = encodeAny(RouteConfigurationSchema, {
    name,
    virtualHosts: [...virtualHosts],
    validateClusters: false,
    ...(maxDirectResponseBodyBytes === undefined ? {} : { maxDirectResponseBodySizeBytes: maxDirectResponseBodyBytes }),
    ignorePortInHostMatching,
  });
  hosts.set(bytes, virtualHosts);
  return bytes;
}

const hosts = new WeakMap<Uint8Array, readonly VirtualHostFragment[]>();

/** The virtual hosts that a configuration was encoded from; undefined for bytes that {@link encodeRouteConfiguration} did not return. */
export function virtualHostsIn(configuration: Uint8Array): readonly VirtualHostFragment[] | undefined {
  return hosts.get(configuration);
}
