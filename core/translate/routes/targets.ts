import type { HashPolicyMessage } from "#core/envoy/hash-policy.ts";
import type { HeaderEdits } from "#core/envoy/header-edits.ts";
import type { Targets, WeightedTarget } from "#core/envoy/route-action.ts";
import type { HttpRouteDestination } from "#core/model/virtual-service.ts";
import { destinationCluster, type FindDestination } from "./destination.ts";
import { hashOfDestination, hashPolicies } from "./hash.ts";
import { headerChanges } from "./headers.ts";

/** Where the requests of a route go, and what each destination adds to the route. */
export interface RouteTargets {
  readonly targets: Targets;
  readonly hash: readonly HashPolicyMessage[];
  /** Retries respect a hash only where there is one destination. */
  readonly hashed: boolean;
  /** Header changes of a lone destination become the route's. */
  readonly requestHeaders: HeaderEdits;
  readonly responseHeaders: HeaderEdits;
  /** Host that a lone destination asks for; "" if none. */
  readonly authority: string;
}

const NO_EDITS: HeaderEdits = { write: [], remove: [] };

/**
 * One destination is a plain cluster, whatever its weight; of several, those of weight 0 fall out. The hash policies of all that stay are
 * listed together (istio `route.applyHTTPRouteDestination`, `processDestination`, `processWeightedDestination`).
 */
export function routeTargets(destinations: readonly HttpRouteDestination[], find: FindDestination, listenerPort: number): RouteTargets {
  const [only, ...others] = destinations;
  if (only !== undefined && others.length === 0) return loneTarget(only, find, listenerPort);
  const weighted = destinations.filter(({ weight }) => weight !== 0);
  return {
    targets: { kind: "weighted", clusters: weighted.map((destination) => weightedTarget(destination, find, listenerPort)) },
    hash: weighted.flatMap((destination) => hashPolicies(hashFor(destination, find))),
    hashed: false,
    requestHeaders: NO_EDITS,
    responseHeaders: NO_EDITS,
    authority: "",
  };
}

function loneTarget(destination: HttpRouteDestination, find: FindDestination, listenerPort: number): RouteTargets {
  const hash = hashFor(destination, find);
  const { request, response, authority } = headerChanges(destination.headers);
  return {
    targets: { kind: "cluster", cluster: clusterFor(destination, find, listenerPort) },
    hash: hashPolicies(hash),
    hashed: hash !== undefined,
    requestHeaders: request,
    responseHeaders: response,
    authority,
  };
}

function weightedTarget(destination: HttpRouteDestination, find: FindDestination, listenerPort: number): WeightedTarget {
  const { request, response, authority } = headerChanges(destination.headers);
  return {
    cluster: clusterFor(destination, find, listenerPort),
    weight: destination.weight,
    requestHeaders: request,
    responseHeaders: response,
    hostRewrite: authority,
  };
}

function clusterFor({ destination }: HttpRouteDestination, find: FindDestination, listenerPort: number): string {
  return destinationCluster(destination, find(destination?.host ?? ""), listenerPort);
}

function hashFor({ destination }: HttpRouteDestination, find: FindDestination) {
  return hashOfDestination(find(destination?.host ?? "").rule, destination);
}
