import { hashText } from "#core/lib/hash-text.ts";
import { encode } from "#core/lib/protobuf/encode.ts";
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

/** An encoded virtual host, to stand in any route configuration. */
export interface VirtualHostFragment {
  readonly bytes: Uint8Array;
  /** A large configuration is cut after it: decided by its name alone, so that a host that comes or goes moves no other cut. */
  readonly isLast: boolean;
}

/** Virtual hosts in a piece of a large configuration, on average. */
const PIECE = 32;

export function encodeVirtualHost(fields: VirtualHostFields): VirtualHostFragment {
  const bytes = encode(VirtualHostSchema, {
    name: fields.name,
    domains: [...fields.domains],
    routes: [...fields.routes],
    requireTls: fields.requireTls ? VirtualHost_TlsRequirementType.ALL : VirtualHost_TlsRequirementType.NONE,
    includeRequestAttemptCount: fields.includeRequestAttemptCount,
  });
  return { bytes, isLast: hashText(fields.name) % PIECE === 0 };
}
