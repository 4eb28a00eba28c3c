import { encodeFragment } from "#core/lib/protobuf/encode.ts";
import type { Fragment } from "#core/lib/protobuf/fragment.ts";
import { VirtualHost_TlsRequirementType, VirtualHostSchema } from "#proto/envoy/config/route/v3/route_components_pb.js";
import type { RouteFragment } from "./route.ts";

export interface VirtualHostFields {
  readonly name: string;
  readonly domains: readonly string[];
  readonly routes: readonly RouteFragment[];
  /** Every request is redirected to https. */
  readonly requireTls: boolean;
  /** Tells upstreams in `x-envoy-attempt-count` which attempt a request is. */
  readonly includeRequestAttemptCount: boolean;
}

export type VirtualHostFragment = Fragment<typeof VirtualHostSchema>;

/** Encodes a virtual host, to stand in any route configuration. */
export function encodeVirtualHost(fields: VirtualHostFields): VirtualHostFragment {
  return encodeFragment(VirtualHostSchema, {
    name: fields.name,
    domains: [...fields.domains],
    routes: [...fields.routes],
    requireTls: fields.requireTls ? VirtualHost_TlsRequirementType.ALL : VirtualHost_TlsRequirementType.NONE,
    includeRequestAttemptCount: fields.includeRequestAttemptCount,
  });
}
