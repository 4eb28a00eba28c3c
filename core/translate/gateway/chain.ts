import type { TransportSocket } from "#core/envoy/filter-chain.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Protocol } from "#core/model/protocol.ts";
import type { BoundRule } from "#core/model/router.ts";
import type { Scope } from "#core/model/scope.ts";
import type { TcpBody } from "../listeners/outbound/chain.ts";
import type { GatewaySettings } from "./settings.ts";

/** What a chain does, and the objects that say so. */
export interface ChainOf<B> {
  readonly body: B;
  readonly from: readonly ObjectKey[];
}

/** A filter chain of a router before it is spelled. */
export interface RouterChain extends ChainOf<RouterHttpBody | RouterTcpBody> {
  /** Names that a TLS client asks for; empty or `*`: any. */
  readonly serverNames: readonly string[];
  readonly applicationProtocols: readonly string[];
  readonly socket?: TransportSocket;
  readonly secrets: readonly string[];
}

/** A connection manager. */
export interface RouterHttpBody {
  readonly kind: "http";
  readonly routes: string;
  readonly protocol: Protocol;
  /** Names its statistics; "" for the listener's own name. */
  readonly statPrefix: string;
}

/** A TCP proxy. */
export interface RouterTcpBody {
  readonly kind: "tcp";
  readonly proxy: TcpBody;
  /** The other side is a workload of the mesh: who it is is asked first. */
  readonly exchangesMetadata: boolean;
  /** Authorization policies apply. */
  readonly authorized: boolean;
}

/** What the chains of one server are made with. */
export interface ServerContext {
  /** Bound to the server's gateway. */
  readonly rules: readonly BoundRule[];
  readonly scope: Scope;
  readonly settings: GatewaySettings;
}
