import { joined } from "#core/lib/joined.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { ScopedService } from "#core/model/scope.ts";
import type { Service, ServicePort } from "#core/model/service.ts";
import type { Destination } from "#core/model/virtual-service.ts";
import { outboundClusterName } from "../names.ts";

/** What is known of one destination host where a route is made. */
export interface DestinationFacts {
  /** The registered service, if the listener has it. */
  readonly service?: Service;
  /** Its only port as the listener sees it; absent if it has several. */
  readonly solePort?: number;
  /** The DestinationRule in force for clients of the scope. */
  readonly rule?: DestinationRule;
  /** The objects behind that, or behind there being none. */
  readonly ruleSources?: readonly ObjectKey[];
}

/** Gathers them; `ports` are those that the listener sees. */
export function destinationFacts(service: Service | undefined, ports: readonly ServicePort[] = [], weighed?: WeighedRule): DestinationFacts {
  const [port, ...others] = ports;
  return {
    ...(service && { service }),
    ...(port !== undefined && others.length === 0 && { solePort: port.number }),
    ...(weighed?.rule && { rule: weighed.rule }),
    ...(weighed && { ruleSources: service === weighed.service ? weighed.ruleSources : joined(weighed.service.sources, weighed.ruleSources) }),
  };
}

/** The rule in force for a host, if any, the objects that it was found among, and the service that it was found for: a listener need not have that. */
export type WeighedRule = Pick<ScopedService, "service" | "rule" | "ruleSources">;

/** Looks destinations up by host name. */
export type FindDestination = (host: string) => DestinationFacts;

/** Cluster of a destination without a host. */
const UNKNOWN_SERVICE = "UnknownService";

/**
 * The cluster that a destination means: its port, else the service's only port, else the listener's. An ExternalName leads one step on;
 * a host that nobody registered keeps its name (istio `route.GetDestinationCluster`).
 */
export function destinationCluster(destination: Destination | undefined, facts: DestinationFacts, listenerPort: number): string {
  if (destination === undefined || destination.host === "") return UNKNOWN_SERVICE;
  const host = facts.service?.externalName || destination.host;
  const port = destination.port !== 0 ? destination.port : (facts.solePort ?? listenerPort);
  return outboundClusterName(port, destination.subset, host);
}
