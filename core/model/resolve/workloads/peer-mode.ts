import { keyed } from "#core/lib/keyed.ts";
import { isSubset, type Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { PeerAuthentication, PeerMode } from "../../peer-authentication.ts";
import type { MtlsMode, Workload } from "../../workload.ts";

/** The mode of a workload and of its ports, and the policies that said so. */
export type PeerModes = Workload["mtls"];

/** What decides in one namespace: what holds for workloads that nothing selects, and the policies that select some, oldest first. */
interface NamespacePolicy {
  readonly general: PeerModes;
  readonly selecting: readonly PeerAuthentication[];
}

/**
 * The mode in which workloads of a namespace take connections, and that of single ports: mesh, then namespace, then the oldest policy that selects the
 * workload, each unset one inheriting (istio `pilot/pkg/security/authn/policy_applier.go` ComposePeerAuthentication). `policies` are oldest first.
 */
export function peerModes(
  policies: readonly PeerAuthentication[],
  rootNamespace: string,
): (workload: { readonly namespace: string; readonly labels: Labels }) => PeerModes {
  const policyOf = namespacePolicies(policies)(rootNamespace);
  return ({ namespace, labels }) => {
    const { general, selecting } = policyOf(namespace);
    if (selecting.length === 0) return general;
    const selected = selecting.find(({ selector }) => isSubset(selector ?? {}, labels));
    return selected === undefined ? general : refine(general, selected);
  };
}

/** What a port does: its own mode, else the workload's. */
export function portMode(mtls: PeerModes, port: number): MtlsMode {
  return mtls.ports[port] ?? mtls.mode;
}

const refine = memoize((general: PeerModes, selected: PeerAuthentication): PeerModes => {
  const mode = inherit(selected.mode, general.mode);
  const ports = Object.fromEntries(Object.entries(selected.ports).map(([port, own]) => [port, inherit(own, mode)]));
  return { mode, ports, sources: [...general.sources, ...selected.sources] };
});

function inherit(own: PeerMode, parent: MtlsMode): MtlsMode {
  return own === "UNSET" ? parent : own;
}

const namespacePolicies = memoize((policies: readonly PeerAuthentication[]) => {
  const byRoot = keyed<(namespace: string) => NamespacePolicy>();
  return (rootNamespace: string): ((namespace: string) => NamespacePolicy) =>
    byRoot(rootNamespace, () => {
      const known = new Map<string, NamespacePolicy>();
      return (namespace) => {
        const found = known.get(namespace) ?? composeNamespace(policies, namespace, rootNamespace);
        known.set(namespace, found);
        return found;
      };
    });
});

function composeNamespace(policies: readonly PeerAuthentication[], namespace: string, rootNamespace: string): NamespacePolicy {
  const isDefault = ({ selector }: PeerAuthentication): boolean => selector === undefined || Object.keys(selector).length === 0;
  const mesh = policies.find((policy) => policy.namespace === rootNamespace && isDefault(policy));
  const own = namespace === rootNamespace ? undefined : policies.find((policy) => policy.namespace === namespace && isDefault(policy));
  const meshMode = inherit(mesh?.mode ?? "UNSET", "PERMISSIVE");
  return {
    general: { mode: inherit(own?.mode ?? "UNSET", meshMode), ports: {}, sources: [...(mesh?.sources ?? []), ...(own?.sources ?? [])] },
    selecting: namespace === rootNamespace ? [] : policies.filter((policy) => policy.namespace === namespace && !isDefault(policy)),
  };
}
