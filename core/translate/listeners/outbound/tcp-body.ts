import { hostAndPort } from "#core/lib/host-port.ts";
import { isWildcard } from "#core/lib/hostname.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { ScopedService } from "#core/model/scope.ts";
import type { RouteDestination, VirtualService } from "#core/model/virtual-service.ts";
import { outboundClusterName } from "../../names.ts";
import { destinationCluster, destinationFacts } from "../../routes/destination.ts";
import { statName } from "../../stat-name.ts";
import type { ListenerSettings } from "../settings.ts";
import type { TcpBody } from "./chain.ts";
import type { Claim } from "./claim.ts";

/** Looks a service up by host, as the scope sees it. */
export type FindService = (host: string) => ScopedService | undefined;

/**
 * To the claim's own service. A Sidecar's egress listener may have another port than the service: then the service's only port counts
 * (istio `tls.go`, last part of both functions).
 */
export function ownBody({ port, scoped }: Claim, settings: ListenerSettings): TcpBody {
  const { service, rule } = scoped;
  const [sole, ...others] = service.ports;
  const number = sole !== undefined && others.length === 0 ? sole.number : port.number;
  const cluster = outboundClusterName(number, "", service.host);
  const subject = { host: service.host, service, subset: "", port: number, portName: "", targetPort: 0 };
  const forwards = service.resolution === "dynamic-dns" && isWildcard(service.host);
  return {
    ...connection(rule, settings),
    statPrefix: settings.outboundStatName === "" ? cluster : statName(settings.outboundStatName, subject),
    targets: { kind: "cluster", cluster },
    ...perSubset(rule, ""),
    mongo: port.protocol === "Mongo",
    ...(forwards && { forwardHost: service.host }),
  };
}

/** What one route of a VirtualService is made with. */
export interface RouteContext {
  readonly claim: Pick<Claim, "port">;
  readonly virtualService: VirtualService;
  readonly find: FindService;
  readonly settings: ListenerSettings;
}

/**
 * To the destinations of a route. Settings come from the rule of the first destination; several destinations share one proxy, so that subsets don't
 * count then. Undefined if every weight is zero (istio `networkfilter.go` buildOutboundNetworkFilters).
 */
export function routeBody(route: readonly RouteDestination[], context: RouteContext): TcpBody | undefined {
  const first = route[0]?.destination;
  const { port } = context.claim;
  const scoped = context.find(first?.host ?? "");
  const common = { ...connection(scoped?.rule, context.settings), mongo: port.protocol === "Mongo" };
  if (route.length > 1) {
    const clusters = route
      .filter(({ weight }) => weight > 0)
      .map(({ destination, weight }) => ({ cluster: clusterOf(destination, context), weight }));
    const { name, namespace } = context.virtualService;
    if (clusters.length === 0) return undefined;
    return { ...common, statPrefix: `${name}.${namespace}`, targets: { kind: "weighted", clusters }, ...perSubset(scoped?.rule, "") };
  }
  const cluster = clusterOf(first, context);
  const statPrefix = routeStatPrefix(first, scoped, context) ?? cluster;
  return { ...common, statPrefix, targets: { kind: "cluster", cluster }, ...perSubset(scoped?.rule, first?.subset ?? "") };
}

function routeStatPrefix(destination: RouteDestination["destination"], scoped: ScopedService | undefined, context: RouteContext): string | undefined {
  const pattern = context.settings.outboundStatName;
  if (pattern === "" || destination === undefined || scoped === undefined) return undefined;
  const { number, name } = context.claim.port;
  const { host, subset } = destination;
  return statName(pattern, { host, service: scoped.service, subset, port: number, portName: name, targetPort: 0 });
}

function clusterOf(destination: RouteDestination["destination"], { claim, find }: RouteContext): string {
  const service = find(destination?.host ?? "")?.service;
  return destinationCluster(destination, destinationFacts(service, service?.ports), claim.port.number);
}

/** To one cluster of a service, whose rule says how: what an east-west router does. */
export function directBody(
  rule: DestinationRule | undefined,
  subset: string,
  settings: ListenerSettings,
): Omit<TcpBody, "statPrefix" | "targets" | "mongo"> {
  return { ...connection(rule, settings), hashSourceIp: perSubset(rule, subset).hashSourceIp };
}

/** Of the rule itself: neither ports nor subsets have a say in how long connections live. */
function connection(rule: DestinationRule | undefined, settings: ListenerSettings): Pick<TcpBody, "kind" | "idleTimeout" | "maxConnectionDuration"> {
  const tcp = rule?.policy?.connectionPool?.tcp;
  const idleTimeout = tcp?.idleTimeout ?? settings.idleTimeout;
  const { maxConnectionDuration } = tcp ?? {};
  return { kind: "tcp", ...(idleTimeout && { idleTimeout }), ...(maxConnectionDuration && { maxConnectionDuration }) };
}

/** Of the subset if there is one: a balancer replaces the rule's, a tunnel is the subset's alone. */
function perSubset(rule: DestinationRule | undefined, subset: string): Pick<TcpBody, "hashSourceIp" | "tunnel"> {
  const named = rule?.subsets.find(({ name }) => name === subset);
  const balancer = named?.policy?.loadBalancer ?? rule?.policy?.loadBalancer;
  const tunnel = subset === "" ? rule?.policy?.tunnel : named?.policy?.tunnel;
  return {
    hashSourceIp: balancer?.consistentHash?.key.kind === "source-ip",
    ...(tunnel && { tunnel: { authority: hostAndPort(tunnel.targetHost, tunnel.targetPort), post: tunnel.protocol === "POST" } }),
  };
}
