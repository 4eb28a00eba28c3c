import { type HostIndex, hostIndex, mostSpecific } from "#core/lib/host-index.ts";
import { isWildcard } from "#core/lib/hostname.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MeshConfig } from "../../mesh-config.ts";

/** Is only the client's own cluster asked for endpoints of this host? Istio `pilot/pkg/model/cluster_local.go`. */
export function isClusterLocal(host: string, config: MeshConfig): boolean {
  return mostSpecific(clusterLocalHosts(config), host) ?? false;
}

/**
 * `kube-system`, the API server and istiod stay within a cluster unless `serviceSettings` say otherwise. Releasing one host under a default wildcard
 * removes that whole default, as in Istio.
 */
const clusterLocalHosts = memoize((config: MeshConfig): HostIndex<boolean> => {
  const hosts = new Map<string, boolean>();
  let defaults = defaultHosts(config);
  for (const { hosts: named, clusterLocal } of config.serviceSettings) {
    for (const host of named) {
      if (!clusterLocal) defaults = defaults.filter((builtIn) => !overrides(host, builtIn));
      hosts.set(host, clusterLocal);
    }
  }
  for (const host of defaults) hosts.set(host, true);
  return hostIndex(hosts);
});

function defaultHosts(config: MeshConfig): readonly string[] {
  const suffix = config.domainSuffix;
  const [istiod = ""] = (config.defaultConfig.discoveryAddress ?? "istiod.istio-system.svc:15012").split(":");
  return [`*.kube-system.svc.${suffix}`, `kubernetes.default.svc.${suffix}`, istiod.endsWith(suffix) ? istiod : `${istiod}.${suffix}`];
}

function overrides(host: string, builtIn: string): boolean {
  return host === builtIn || (isWildcard(builtIn) && host.endsWith(builtIn.slice(1)));
}
