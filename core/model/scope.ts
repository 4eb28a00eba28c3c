import type { ObjectKey } from "#core/lib/object-key.ts";
import type { DestinationRule } from "./destination-rule.ts";
import type { OutboundPolicy } from "./mesh-config.ts";
import type { Service } from "./service.ts";
import type { SidecarPort } from "./sidecar.ts";
import type { Destination, VirtualService } from "./virtual-service.ts";

/**
 * What all nodes of one scope layer can see: Istio's SidecarScope with every reference resolved.
 * It decides outbound clusters, routes and listeners; nothing of a single workload is in it.
 */
export interface Scope {
  readonly namespace: string;
  /** Sidecar in force, absent for the default scope. */
  readonly sidecar?: ObjectKey;
  readonly egress: readonly EgressListener[];
  /** Union over the egress listeners and the destinations of their VirtualServices, in Istio's order; ports already restricted. */
  readonly services: readonly ScopedService[];
  readonly outboundPolicy: { readonly mode: OutboundPolicy; readonly egressProxy?: Destination };
}

/** One egress listener of a Sidecar; a default scope has exactly one, without a port. */
export interface EgressListener {
  readonly port?: SidecarPort;
  /** "" for the default address. */
  readonly bind: string;
  readonly captureMode: "DEFAULT" | "IPTABLES" | "NONE";
  readonly services: readonly ScopedService[];
  /** Those bound to `mesh` that this listener imports, in Istio's order (own-namespace private, exported to it, public). */
  readonly virtualServices: readonly VirtualService[];
}

/** A service as one scope sees it; the same value is shared by all scopes that see it alike. */
export interface ScopedService {
  readonly service: Service;
  /** The DestinationRule in force for clients of this scope (workload-selected ones included). */
  readonly rule?: DestinationRule;
  /** All rules that were weighed where that one was found, or none: it among them, if there is one. */
  readonly ruleSources: readonly ObjectKey[];
  /** What namespace- and mesh-level PeerAuthentication says of the service: only it decides a cluster's automatic mTLS. */
  readonly mtlsMode: "DISABLE" | "PERMISSIVE" | "STRICT";
  /** The PeerAuthentications that `mtlsMode` was read from. */
  readonly mtlsSources: readonly ObjectKey[];
  /** VirtualServices that brought the service into a scope whose egress hosts don't import it. */
  readonly importedBy: readonly ObjectKey[];
  /** Facts derived from all endpoints, which clusters read: they change far more rarely than endpoints do. */
  readonly derived: ServiceFacts;
}

/** Facts derived from a service's endpoints; each compares by value, so that an endpoint change that keeps them touches no cluster. */
export interface ServiceFacts {
  /** Sorted SPIFFE identities of endpoints and annotations, before trust domain aliases are expanded. */
  readonly identities: readonly string[];
  /** Of each identity, one endpoint that has it: the objects that list it, and that it is. */
  readonly sources: readonly ObjectKey[];
  /** By number of the service port; a port without endpoints is absent. */
  readonly ports: Readonly<Record<number, PortFacts>>;
  /** Ports at which endpoints stand on all addresses or the host's own loopback one, sorted; absent: none does. */
  readonly hostPorts?: readonly number[];
}

/** Of all endpoints that serve one port of a service. */
export interface PortFacts {
  /** No endpoint is without mTLS (decides clusters that keep the original destination). */
  readonly allSpeakMtls: boolean;
  /** An endpoint that bears this out, the one without mTLS if there is one: the objects that list it, and that it is. */
  readonly sources: readonly ObjectKey[];
  /** There are endpoints, and all take HBONE tunnels: metadata is exchanged with none (istio `push_context.go` AllInstancesSupportHBONE). */
  readonly allTakeTunnels?: true;
  /** An endpoint that bears this out, likewise; absent where none takes tunnels. */
  readonly tunnelSources?: readonly ObjectKey[];
  /** Passthrough resolution only: addresses that get a listener of their own, in the order of the endpoints; anything but IP addresses is left out. */
  readonly addresses: readonly EndpointAddress[];
}

export interface EndpointAddress {
  readonly address: string;
  /** The objects that the endpoint was made of, and what lists it. */
  readonly sources: readonly ObjectKey[];
}
