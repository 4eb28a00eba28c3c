import { compareText } from "#core/lib/compare.ts";
import { gathered } from "#core/lib/gathered.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { recent } from "#core/lib/recent.ts";
import { mayBeHttp } from "#core/model/protocol.ts";
import type { EgressListener } from "#core/model/scope.ts";
import type { ServicePort } from "#core/model/service.ts";
import type { VirtualService } from "#core/model/virtual-service.ts";
import { grants } from "./domain-grants.ts";
import { type HostLabel, type Label, labelOfHost, labelOfService, type Naming } from "./domains.ts";
import type { RouteFrame } from "./frame.ts";
import { claimHosts, mostSpecificVirtualServices, touchesService } from "./hosts.ts";
import { type RegisteredService, servicesOnListener } from "./registry.ts";
import { hasRoutes } from "./virtual-service-routes.ts";

/** A virtual host that exists: its name, the domains that are its own, and what its routes come from. */
export interface PlannedHost {
  readonly label: Label;
  readonly routes: RoutesSource;
}

export type RoutesSource =
  /** By place in the listener's list: a VirtualService whose names stay may change all its routes. */
  | { readonly kind: "virtual-service"; readonly at: number }
  | { readonly kind: "service"; readonly service: RegisteredService; readonly port: ServicePort };

/** The virtual hosts of one listener, sorted by name. */
export interface Allocation {
  readonly hosts: readonly PlannedHost[];
  /** The VirtualServices looked at, by place, those that got nothing included. */
  readonly candidates: readonly number[];
  /** The services looked at, likewise, and those that hide others which have the port. */
  readonly services: readonly ObjectKey[];
}

/** Hosts that share their routes, on one port: Istio's VirtualHostWrapper. */
interface Claim {
  readonly port: number;
  readonly services: readonly ClaimedPort[];
  /** Hosts that no service has. */
  readonly others: readonly string[];
  readonly routes: RoutesSource;
}

interface ClaimedPort {
  readonly service: RegisteredService;
  readonly port: ServicePort;
}

/**
 * Decides which virtual hosts a listener's routes have and who owns each domain. VirtualServices come first, in their order; services that none
 * of them claims follow with a default route. A name or a domain that is taken is lost for whoever comes later
 * (istio `httproute.go` BuildSidecarOutboundVirtualHosts, `route.go` BuildSidecarVirtualHostWrapper).
 */
export function allocateHosts(listener: EgressListener, frame: RouteFrame, naming: Naming): Allocation {
  const names = namesOf(listener.virtualServices, frame, listener.services, naming);
  return allocations(listener.services, frame, naming)(asText(names), () => allocate(listener, frame, naming));
}

/** All that allocation reads of each VirtualService, as text. Mostly the same list after a change of one; services and naming only tell listeners apart. */
const namesOf = gathered((virtualService: VirtualService, { port }: RouteFrame, _services: EgressListener["services"], _naming: Naming) => [
  `${virtualService.namespace}/${virtualService.name} ${hasRoutes(virtualService, port) ? "routes" : "nothing"} ${virtualService.hosts.join(" ")}`,
]);
const asText = memoize((names: readonly string[]): string => names.join("\n"));

const REMEMBERED = 4;
const allocations = memoize((_services: EgressListener["services"], _frame: RouteFrame, _naming: Naming) => recent<Allocation>(REMEMBERED));

function allocate(listener: EgressListener, frame: RouteFrame, naming: Naming): Allocation {
  const registry = servicesOnListener(listener.services, frame);
  const places = candidates(listener, registry, frame.port);
  const view: ClaimView = { registry, winners: mostSpecificVirtualServices(listener), listenerPort: frame.port };
  const claims = places.flatMap((at) => claimsOf(listener.virtualServices[at], at, view));
  const taken = new Set(claims.flatMap(({ services }) => services.map(({ service }) => service.host)));
  const rest = [...registry.values()].filter(({ host }) => !taken.has(host)).flatMap(ownClaims);
  return {
    hosts: grantAll([...claims, ...rest], naming, frame.port === 0).sort((a, b) => compareText(a.label.name, b.label.name)),
    candidates: places,
    services: [...registry.values(), ...hidingOn(frame.port, listener.services)].flatMap(({ scoped }) => scoped.service.sources),
  };
}

function hidingOn(port: number, services: EgressListener["services"]): readonly Pick<RegisteredService, "scoped">[] {
  return services.flatMap((scoped) => (scoped.service.hiddenPorts?.includes(port) ? [{ scoped }] : []));
}

/** Port 80 also serves hosts that no service has; on other ports only VirtualServices of a service count. */
function candidates(listener: EgressListener, registry: ReadonlyMap<string, RegisteredService>, listenerPort: number): readonly number[] {
  const all = [...listener.virtualServices.entries()];
  const counting = listenerPort === HTTP_PORT ? all : all.filter(([, virtualService]) => touchesService(virtualService, registry));
  return counting.map(([at]) => at);
}

const HTTP_PORT = 80;

interface ClaimView {
  readonly registry: ReadonlyMap<string, RegisteredService>;
  readonly winners: ReadonlyMap<string, VirtualService>;
  readonly listenerPort: number;
}

/** What a VirtualService claims, by port; without any service its hosts still count on port 80. */
function claimsOf(virtualService: VirtualService | undefined, at: number, { registry, winners, listenerPort }: ClaimView): readonly Claim[] {
  if (virtualService === undefined || !hasRoutes(virtualService, listenerPort)) return [];
  const { services, others } = claimHosts(virtualService, registry, winners);
  const byPort = new Map<number, ClaimedPort[]>();
  for (const claimed of services.flatMap(httpPorts)) {
    const same = byPort.get(claimed.port.number);
    if (same === undefined) byPort.set(claimed.port.number, [claimed]);
    else same.push(claimed);
  }
  if (byPort.size === 0 && listenerPort === HTTP_PORT) byPort.set(HTTP_PORT, []);
  return [...byPort].map(([port, claimed]) => ({ port, services: claimed, others, routes: { kind: "virtual-service", at } }));
}

/** What a service without VirtualService claims. An alias is only a name of another service. */
function ownClaims(service: RegisteredService): readonly Claim[] {
  if (service.scoped.service.resolution === "alias") return [];
  return httpPorts(service).map(({ port }) => ({
    port: port.number,
    services: [{ service, port }],
    others: [],
    routes: { kind: "service", service, port },
  }));
}

function httpPorts(service: RegisteredService): readonly ClaimedPort[] {
  return service.ports.filter(({ protocol }) => mayBeHttp(protocol)).map((port) => ({ service, port }));
}

function grantAll(claims: readonly Claim[], naming: Naming, everyPort: boolean): PlannedHost[] {
  const asking: { readonly label: HostLabel; readonly port: number; readonly routes: RoutesSource }[] = [];
  /** Hosts of services, without and with their port. */
  const registered = new Set<string>();
  for (const { port, services, others, routes } of claims) {
    for (const host of others) asking.push({ label: labelOfHost(host.toLowerCase(), port), port, routes });
    for (const { service, port: servicePort } of services) {
      const label = labelOfService(service.scoped.service, servicePort, naming);
      registered.add(service.host).add(label.name);
      asking.push({ label, port, routes });
    }
  }
  const grant = grants(registered, everyPort);
  const granted: PlannedHost[] = [];
  for (const { label, port, routes } of asking) {
    const own = grant(label, port);
    if (own !== undefined) granted.push({ label: own, routes });
  }
  return granted;
}
