import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AddressSchema } from "#proto/envoy/config/core/v3/address_pb.js";

export type AddressMessage = MessageInitShape<typeof AddressSchema>;

/** Start of a bind that is a Unix domain socket: `unix:///var/run/app.sock`. */
export const UNIX_PREFIX = "unix://";

export function socketAddress(address: string, port: number): AddressMessage {
  return { address: { case: "socketAddress", value: { address, portSpecifier: { case: "portValue", value: port } } } };
}

/** Where a listener binds: a socket address, or for port 0 the path of a Unix socket (istio `util.BuildAddress`). */
export function bindAddress(bind: string, port: number): AddressMessage {
  if (port !== 0) return socketAddress(bind, port);
  const path = bind.startsWith(UNIX_PREFIX) ? bind.slice(UNIX_PREFIX.length) : bind;
  return { address: { case: "pipe", value: { path } } };
}
