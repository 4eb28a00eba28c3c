import { isSubset, type Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { PeerAuthentication, PeerMode } from "../peer-authentication.ts";
import type { MtlsMode, Workload } from "../workload.ts";

/** What decides in one namespace: its default mode, and the policies that select workloads, oldest first. */
interface NamespacePolicy {
  readonly mode: MtlsMode;
  readonly sources: Workload["mtls"]["sources"];
  readonly selecting: readonly PeerAuthentication[];
}

/**
 * The mode in which workloads of a namespace take connections, and that of single ports: mesh, then namespace, then the oldest policy that selects the
 * workload, each unset one inheriting (istio `pilot/pkg/security/authn/policy_applier.go` ComposePeerAuthentication). `policies` are oldest first.
 */
export function peerMode(
  policies: readonly PeerAuthentication[],
  rootNamespace: string,
  workload: { readonly namespace: string; readonly labels: Labels },
): Workload["mtls"] {
  const policy = namespacePolicies(policies)(workload.namespace, rootNamespace);
  const selected = policy.selecting.find(({ selector }) => isSubset(selector ?? {}, workload.labels));
  if (selected === undefined) return { mode: policy.mode, ports: {}, sources: policy.sources };
  const mode = inherit(selected.mode, policy.mode);
  const ports = Object.fromEntries(Object.entries(selected.ports).map(([port, own]) => [port, inherit(own, mode)]));
  return { mode, ports, sources: [...policy.sources, ...selected.sources] };
}

/** What a port does: its own mode, else the workload's. */
export function portMode(mtls: Workload["mtls"], port: number): MtlsMode {
  return mtls.ports[port] ?? mtls.mode;
}

function inherit(own: PeerMode, parent: MtlsMode): MtlsMode {
  return own === "UNSET" ? parent : own;
}

const namespacePolicies = memoize((policies: readonly PeerAuthentication[]) => {
  const known = new Map<string, NamespacePolicy>();
  return (namespace: string, rootNamespace: string): NamespacePolicy => {
    const id = `${rootNamespace}/${namespace}`;
    const found = known.get(id);
    if (found !== undefined) return found;
    const policy = composeNamespace(policies, namespace, rootNamespace);
    known.set(id, policy);
    return policy;
  };
});

function composeNamespace(policies: readonly PeerAuthentication[], namespace: string, rootNamespace: string): NamespacePolicy {
  const isDefault = ({ selector }: PeerAuthentication): boolean => selector === undefined || Object.keys(selector).length === 0;
  const mesh = policies.find((policy) => policy.namespace === rootNamespace && isDefault(policy));
  const own = namespace === rootNamespace ? undefined : policies.find((policy) => policy.namespace === namespace && isDefault(policy));
  const meshMode = inherit(mesh?.mode ?? "UNSET", "PERMISSIVE");
  return {
    mode: inherit(own?.mode ?? "UNSET", meshMode),
    sources: [...(mesh?.sources ?? []), ...(own?.sources ?? [])],
    selecting: namespace === rootNamespace ? [] : policies.filter((policy) => policy.namespace === namespace && !isDefault(policy)),
  };
}
