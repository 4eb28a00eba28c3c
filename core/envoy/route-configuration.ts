import { AnySchema } from "@bufbuild/protobuf/wkt";
import { encode } from "#core/lib/protobuf/encode.ts";
import { concatBytes } from "#core/lib/protobuf/splice.ts";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";
import { typeUrl } from "./any.ts";

export interface RouteConfigurationFields {
  readonly name: string;
  /** Pieces made by `encodeVirtualHost`, in order. */
  readonly virtualHosts: readonly Uint8Array[];
  /** Absent: Envoy's 4 KiB. */
  readonly maxDirectResponseBodyBytes?: number;
  readonly ignorePortInHostMatching: boolean;
}

/** A complete Any. Clusters are never validated: a route may name one that comes later. */
export function encodeRouteConfiguration(fields: RouteConfigurationFields): Uint8Array {
  const { maxDirectResponseBodyBytes } = fields;
  const head = encode(RouteConfigurationSchema, { name: fields.name });
  const tail = encode(RouteConfigurationSchema, {
    validateClusters: false,
    ...(maxDirectResponseBodyBytes === undefined ? {} : { maxDirectResponseBodySizeBytes: maxDirectResponseBodyBytes }),
    ignorePortInHostMatching: fields.ignorePortInHostMatching,
  });
  return encode(AnySchema, { typeUrl: typeUrl(RouteConfigurationSchema), value: concatBytes([head, ...fields.virtualHosts, tail]) });
}
