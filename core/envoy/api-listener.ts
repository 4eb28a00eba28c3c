import type { MessageInitShape } from "@bufbuild/protobuf";
import { encode, encodeAny, encodeFragment } from "#core/lib/protobuf/encode.ts";
import { packed } from "#core/lib/protobuf/packed.ts";
import { ListenerSchema } from "#proto/envoy/config/listener/v3/listener_pb.js";
import { HttpConnectionManagerSchema } from "#proto/envoy/extensions/filters/network/http_connection_manager/v3/http_connection_manager_pb.js";
import { bindAddress } from "./address.ts";
import type { TransportSocket } from "./filter-chain.ts";
import { fault, router } from "./http-filters.ts";

/** What a proxyless client resolves a target by. */
export interface ApiListenerFields {
  /** `host:port`, as the client asks. */
  readonly name: string;
  /** Of the service; of no use to clients, but the API wants one. */
  readonly addresses: readonly string[];
  readonly port: number;
  readonly routes: string;
}

/** A complete Any: an API listener (gRFC A27), with the filters that gRPC knows. */
export function encodeApiListener({ name, addresses: [primary = "0.0.0.0", ...others], port, routes }: ApiListenerFields): Uint8Array {
  const manager = encode(HttpConnectionManagerSchema, {
    statPrefix: routes,
    routeSpecifier: { case: "rds", value: { configSource: { configSourceSpecifier: { case: "ads", value: {} } }, routeConfigName: routes } },
    httpFilters: [fault(), router(false)],
  });
  return encodeAny(ListenerSchema, {
    name,
    address: bindAddress(primary, port),
    additionalAddresses: others.map((address) => ({ address: bindAddress(address, port) })),
    apiListener: { apiListener: { typeUrl: MANAGER, value: manager } },
  });
}

const MANAGER = `type.googleapis.com/${HttpConnectionManagerSchema.typeName}`;

/** A server's listener. */
export interface ServerListenerFields {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  /** Absent: plain text. */
  readonly socket?: TransportSocket;
}

/** A complete Any: where a gRPC server that configures itself by xDS listens (gRFC A36). It may have no listener filters, and routes that forward nothing. */
export function encodeServerListener({ name, address, port, socket }: ServerListenerFields): Uint8Array {
  const kind = socket === undefined ? "plaintext" : "mtls";
  return encodeAny(ListenerSchema, {
    name,
    address: bindAddress(address, port),
    filterChains: [
      {
        name: `inbound-${kind}`,
        filters: [{ name: `inbound-hcm${kind}`, configType: { case: "typedConfig", value: packed(HttpConnectionManagerSchema, serverManager) } }],
        ...(socket && { transportSocket: socket }),
      },
    ],
  });
}

const serverManager = encodeFragment(HttpConnectionManagerSchema, serverManagerMessage());

function serverManagerMessage(): MessageInitShape<typeof HttpConnectionManagerSchema> {
  const route = { match: { pathSpecifier: { case: "prefix", value: "/" } }, action: { case: "nonForwardingAction", value: {} } } as const;
  return {
    statPrefix: "inbound",
    routeSpecifier: { case: "routeConfig", value: { name: "inbound", virtualHosts: [{ name: "inbound", domains: ["*"], routes: [route] }] } },
    httpFilters: [router(false)],
  };
}
