import { isConfigMapCredential } from "#core/lib/config-map-credential.ts";
import { memoize } from "#core/lib/memo.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { ScopedService } from "#core/model/scope.ts";
import type { ClientTls, TrafficPolicy } from "#core/model/traffic-policy.ts";
import { credential } from "../credential.ts";
import { wantedSecrets } from "../own-secrets.ts";
import type { WantedSecret } from "../secrets.ts";
import type { ClusterSettings, OutboundSettings } from "./settings.ts";
import { fileNames } from "./tls.ts";

/**
 * The secrets that clusters of these services may ask the control plane for: the proxy's own, those that the rules in force name as credentials, and their
 * files where no agent serves these. Clusters that hold their endpoints are known only from where they are seen, so the rules are asked instead.
 */
export const ruleCredentials = memoize((services: readonly ScopedService[], { outbound }: ClusterSettings): readonly WantedSecret[] => {
  const rules = new Set(services.flatMap(({ rule }) => rule ?? []));
  const named = [...rules].flatMap((rule) => {
    const names = new Set(credentialsOf(rule).filter((name) => isTold(name, rule, outbound.node)));
    return [...[...names].flatMap((name) => resourcesOf(name, outbound)), ...filesOf(rule, outbound)].map((name) => ({ name, from: rule.sources }));
  });
  return [...wantedSecrets(outbound.own), ...anyHostCredentials(outbound), ...named];
});

/** What the mesh's outbound policy names for hosts that nobody knows; a ConfigMap, since no rule is there to select workloads. */
function anyHostCredentials(outbound: OutboundSettings): readonly WantedSecret[] {
  const { credentialName = "" } = outbound.anyHost.tls ?? {};
  if (!isConfigMapCredential(credentialName)) return [];
  return resourcesOf(credentialName, outbound).map((name) => ({ name, from: [] }));
}

/** The certificate and the roots of a credential, if the control plane is asked for them. */
function resourcesOf(name: string, outbound: OutboundSettings): readonly string[] {
  return [name, `${name}-cacert`].flatMap((one) => credential(one, outbound).resource ?? []);
}

function filesOf(rule: DestinationRule, { secretServer }: OutboundSettings): readonly string[] {
  if (secretServer !== "ads") return [];
  const settings = tlsOf(rule).filter(({ mode, credentialName }) => credentialName === "" && (mode === "SIMPLE" || mode === "MUTUAL"));
  return settings.map(fileNames).flatMap(({ certificate, roots }) => [...(certificate === undefined ? [] : [certificate]), roots]);
}

/** A sidecar is told of credentials only by rules for selected workloads, since all others would wait for them in vain. */
function isTold(name: string, { workloadSelector }: DestinationRule, node: "sidecar" | "router"): boolean {
  return node === "router" || workloadSelector !== undefined || isConfigMapCredential(name);
}

function credentialsOf(rule: DestinationRule): readonly string[] {
  return tlsOf(rule)
    .map(({ credentialName }) => credentialName)
    .filter((name) => name !== "");
}

function tlsOf({ policy, subsets }: DestinationRule): readonly ClientTls[] {
  return [policy, ...subsets.map((subset) => subset.policy)].flatMap(tlsSettings);
}

function tlsSettings(policy: TrafficPolicy | undefined): readonly ClientTls[] {
  return [policy?.tls, ...(policy?.portLevelSettings ?? []).map(({ tls }) => tls)].filter((tls) => tls !== undefined);
}
