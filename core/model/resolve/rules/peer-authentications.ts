import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { present } from "#core/lib/present.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { PeerAuthentication, PeerMode } from "#core/model/peer-authentication.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { PeerAuthentication_MutualTLS_Mode as Mode, type PeerAuthentication_MutualTLS } from "#proto/security/v1beta1/peer_authentication_pb.js";
import { compareAge } from "../age.ts";

/** All PeerAuthentications, oldest first; those without selector labels speak for their namespace, or for the mesh in the root namespace. */
export function resolvePeerAuthentications(
  objects: readonly SourceObject<"PeerAuthentication">[],
  _config: MeshConfig,
): readonly PeerAuthentication[] {
  return [...objects].sort(compareAge).map((object) => peerAuthenticationOf(object));
}

const peerAuthenticationOf = memoize(({ key, spec }: SourceObject<"PeerAuthentication">): PeerAuthentication => {
  const labels = spec.selector?.matchLabels ?? {};
  return present({
    name: key.name,
    namespace: key.namespace,
    selector: Object.keys(labels).length === 0 ? undefined : labels,
    mode: modeOf(spec.mtls),
    ports: Object.fromEntries(Object.entries(spec.portLevelMtls).map(([port, mtls]) => [port, modeOf(mtls)])),
    sources: [key],
  });
});

const MODES = { [Mode.UNSET]: "UNSET", [Mode.DISABLE]: "DISABLE", [Mode.PERMISSIVE]: "PERMISSIVE", [Mode.STRICT]: "STRICT" } as const;

function modeOf(mtls: PeerAuthentication_MutualTLS | undefined): PeerMode {
  return mtls === undefined ? "UNSET" : (MODES[mtls.mode] ?? "UNSET");
}

/** What one namespace's workloads are known to accept, workload and port policies aside. */
export interface NamespaceMtls {
  readonly mode: "DISABLE" | "PERMISSIVE" | "STRICT";
  readonly sources: readonly ObjectKey[];
}

/**
 * The mode of each namespace: its oldest selector-less policy, where that is unset (or there is none) the root namespace's, else PERMISSIVE
 * (istio `model/authentication.go` addPeerAuthentication, GetNamespaceMutualTLSMode).
 */
export function namespaceMtls(policies: readonly PeerAuthentication[], rootNamespace: string): (namespace: string) => NamespaceMtls {
  const oldest = new Map<string, PeerAuthentication>();
  for (const policy of policies) {
    if (policy.selector === undefined && !oldest.has(policy.namespace)) oldest.set(policy.namespace, policy);
  }
  const root = oldest.get(rootNamespace);
  return (namespace) => mtlsOf(namespace === rootNamespace ? undefined : oldest.get(namespace), root);
}

const mtlsOf = memoize((own: PeerAuthentication | undefined, root: PeerAuthentication | undefined): NamespaceMtls => {
  const inherited: NamespaceMtls = { mode: known(root), sources: root?.sources ?? [] };
  if (own === undefined) return inherited;
  if (own.mode !== "UNSET") return { mode: own.mode, sources: own.sources };
  return { mode: inherited.mode, sources: [...own.sources, ...inherited.sources] };
});

function known(policy: PeerAuthentication | undefined): NamespaceMtls["mode"] {
  return policy === undefined || policy.mode === "UNSET" ? "PERMISSIVE" : policy.mode;
}
