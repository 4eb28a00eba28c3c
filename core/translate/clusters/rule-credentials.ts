import { memoize } from "#core/lib/memo.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { ScopedService } from "#core/model/scope.ts";
import type { ClientTls, TrafficPolicy } from "#core/model/traffic-policy.ts";
import { credential } from "../credential.ts";
import type { WantedSecret } from "../secrets.ts";
import type { ClusterSettings } from "./settings.ts";

/**
 * The secrets that clusters of these services may ask the control plane for: those that the rules in force name as credentials. Clusters that hold their
 * endpoints are known only from where they are seen, so the rules are asked instead.
 */
export const ruleCredentials = memoize((services: readonly ScopedService[], { outbound }: ClusterSettings): readonly WantedSecret[] => {
  const rules = new Set(services.flatMap(({ rule }) => rule ?? []));
  return [...rules].flatMap((rule) => {
    const names = new Set(credentialsOf(rule).filter((name) => isTold(name, rule, outbound.node)));
    const resources = [...names]
      .flatMap((name) => [name, `${name}-cacert`])
      .flatMap((name) => credential(name, outbound.credentialSocket).resource ?? []);
    return resources.map((name) => ({ name, from: rule.sources }));
  });
});

/** A sidecar is told of credentials only by rules for selected workloads, since all others would wait for them in vain. */
function isTold(name: string, { workloadSelector }: DestinationRule, node: "sidecar" | "router"): boolean {
  return node === "router" || workloadSelector !== undefined || name.startsWith("configmap://");
}

function credentialsOf({ policy, subsets }: DestinationRule): readonly string[] {
  const settings = [policy, ...subsets.map((subset) => subset.policy)].flatMap(tlsSettings);
  return settings.map(({ credentialName }) => credentialName).filter((name) => name !== "");
}

function tlsSettings(policy: TrafficPolicy | undefined): readonly ClientTls[] {
  return [policy?.tls, ...(policy?.portLevelSettings ?? []).map(({ tls }) => tls)].filter((tls) => tls !== undefined);
}
