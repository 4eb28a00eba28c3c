import { encode } from "#core/lib/protobuf/encode.ts";
import { concatBytes, messageField } from "#core/lib/protobuf/splice.ts";
import { VirtualHost_TlsRequirementType, VirtualHostSchema } from "#proto/envoy/config/route/v3/route_components_pb.js";

export interface VirtualHostFields {
  readonly name: string;
  readonly domains: readonly string[];
  /** Pieces made by `encodeRoute`, in order. */
  readonly routes: readonly Uint8Array[];
  /** Every request is redirected to https. */
  readonly requireTls: boolean;
  /** Tells upstreams in `x-envoy-attempt-count` which attempt a request is. */
  readonly includeRequestAttemptCount: boolean;
}

/** The number of RouteConfiguration's field `virtual_hosts`. */
const VIRTUAL_HOSTS = 2;

/** Encodes a virtual host as a piece of the route configuration around it; its routes are spliced, not encoded again. */
export function encodeVirtualHost(fields: VirtualHostFields): Uint8Array {
  const head = encode(VirtualHostSchema, { name: fields.name, domains: [...fields.domains] });
  const tail = encode(VirtualHostSchema, {
    requireTls: fields.requireTls ? VirtualHost_TlsRequirementType.ALL : VirtualHost_TlsRequirementType.NONE,
    includeRequestAttemptCount: fields.includeRequestAttemptCount,
  });
  return messageField(VIRTUAL_HOSTS, concatBytes([head, ...fields.routes, tail]));
}
