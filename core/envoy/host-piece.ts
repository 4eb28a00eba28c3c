import { equalLists } from "#core/lib/equality.ts";
import { encode } from "#core/lib/protobuf/encode.ts";
import { fragment } from "#core/lib/protobuf/fragment.ts";
import { VirtualHostSchema } from "#proto/envoy/config/route/v3/route_components_pb.js";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";
import type { VirtualHostFragment } from "./virtual-host.ts";

/** Neighbouring virtual hosts of a route configuration, encoded as its fields: after a change of one host all pieces but one are those of before. */
export interface HostPiece {
  readonly hosts: readonly VirtualHostFragment[];
  readonly bytes: Uint8Array;
}

/** Cuts virtual hosts into pieces, each after a host that says so. */
export function hostPieces(hosts: readonly VirtualHostFragment[]): readonly HostPiece[] {
  const pieces: HostPiece[] = [];
  let start = 0;
  for (let end = 1; end <= hosts.length; end++) {
    if (end < hosts.length && hosts[end - 1]?.isLast !== true) continue;
    pieces.push(pieceOf(hosts.slice(start, end)));
    start = end;
  }
  return pieces;
}

/** Pieces by their first host. */
const known = new WeakMap<VirtualHostFragment, readonly HostPiece[]>();

/** Scopes that see other services between the same ones have pieces of their own. */
const MOST_KNOWN = 8;

function pieceOf(hosts: readonly VirtualHostFragment[]): HostPiece {
  const first = hosts[0] as VirtualHostFragment;
  const before = known.get(first) ?? [];
  const same = before.find((piece) => equalLists(piece.hosts, hosts));
  if (same !== undefined) return same;
  const virtualHosts = hosts.map(({ bytes }) => fragment(VirtualHostSchema, bytes));
  const piece = { hosts, bytes: encode(RouteConfigurationSchema, { virtualHosts }) };
  known.set(first, [piece, ...before.slice(0, MOST_KNOWN - 1)]);
  return piece;
}
