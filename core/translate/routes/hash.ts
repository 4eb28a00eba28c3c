import { type HashPolicyMessage, hashPolicy } from "#core/envoy/hash-policy.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { ConsistentHash, PortTrafficPolicy } from "#core/model/traffic-policy.ts";
import type { Destination } from "#core/model/virtual-service.ts";

/**
 * Consistent hashing of a VirtualService's destination, the most specific that is set: the subset's for the port, the subset's, the rule's
 * for the port, the rule's. Ports count only where the destination names one (istio `route.HashForHTTPDestination`).
 */
export function hashOfDestination(rule: DestinationRule | undefined, destination: Destination | undefined): ConsistentHash | undefined {
  if (rule === undefined || destination === undefined) return undefined;
  const subset = rule.subsets.find(({ name }) => name === destination.subset)?.policy;
  return (
    portHash(subset?.portLevelSettings, destination.port) ??
    subset?.loadBalancer?.consistentHash ??
    portHash(rule.policy?.portLevelSettings, destination.port) ??
    rule.policy?.loadBalancer?.consistentHash
  );
}

/** Consistent hashing of a service that no VirtualService claims: its port's, else the rule's (istio `route.hashForService`). */
export function hashOfService(rule: DestinationRule | undefined, port: number): ConsistentHash | undefined {
  return portHash(rule?.policy?.portLevelSettings, port) ?? rule?.policy?.loadBalancer?.consistentHash;
}

/** What the hash is made of, for Envoy; a hash without a key asks for nothing. */
export function hashPolicies(hash: ConsistentHash | undefined): readonly HashPolicyMessage[] {
  if (hash === undefined) return [];
  switch (hash.key.kind) {
    case "none":
      return [];
    case "source-ip":
      return [hashPolicy({ kind: "source-ip", enabled: true })];
    case "source-ip-off":
      return [hashPolicy({ kind: "source-ip", enabled: false })];
    default:
      return [hashPolicy(hash.key)];
  }
}

function portHash(settings: readonly PortTrafficPolicy[] = [], port: number): ConsistentHash | undefined {
  return port === 0 ? undefined : settings.find((setting) => setting.port === port)?.loadBalancer?.consistentHash;
}
