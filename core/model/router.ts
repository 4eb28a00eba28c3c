import type { ObjectKey } from "#core/lib/object-key.ts";
import type { GatewayServer } from "./gateway.ts";
import type { Protocol } from "./protocol.ts";
import type { Service } from "./service.ts";
import type { VirtualService } from "./virtual-service.ts";

/** What one router serves: the servers of all Gateways that select it, merged by port (Istio's MergedGateway). */
export interface Router {
  readonly namespace: string;
  /** In the order in which they were opened. */
  readonly ports: readonly RouterPort[];
  /** The servers behind each route configuration, by its name. */
  readonly routeTables: ReadonlyMap<string, readonly RouterServer[]>;
  /** By gateway (`namespace/name`), in order of precedence. */
  readonly rules: ReadonlyMap<string, readonly BoundRule[]>;
  /** Names of the form `kubernetes-gateway://` that the router's own Gateways have a right to. */
  readonly grantedSecrets: ReadonlySet<string>;
  /** Gateways that select the router, those that lost every port included, and Services that say where it listens. */
  readonly from: readonly ObjectKey[];
}

/** Servers of one port of the router, protocol and bind. */
export interface RouterPort {
  /** Where the router listens: the Service's target port. */
  readonly number: number;
  readonly protocol: Protocol;
  readonly bind: string;
  /** Route configuration of plain HTTP; "" for others. */
  readonly routes: string;
  readonly servers: readonly RouterServer[];
}

export interface RouterServer {
  /** `namespace/name` of the Gateway. */
  readonly gateway: string;
  readonly server: GatewayServer;
  /** Name of the route configuration; "" for what isn't HTTP. */
  readonly routes: string;
  /** Names that a TLS client asks for. */
  readonly serverNames: readonly string[];
}

/** A VirtualService that is bound to one of the router's gateways. */
export interface BoundRule {
  readonly virtualService: VirtualService;
  /** Its HTTP part, reduced to what can fit for this router and gateway. */
  readonly http: VirtualService;
  /** Destinations that the rule's own namespace has, and the router may see: they go before others of the same name. */
  readonly services: ReadonlyMap<string, Service>;
}
