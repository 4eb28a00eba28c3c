import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { readNetworks } from "../registry/networks.ts";

/** Names that Istio has for its own registries (istio `serviceregistry/provider`). */
const OWN = ["Mock", "Kubernetes", "External"];
const REMOTE_CLUSTER = "istio/multiCluster";

/** Clusters that the mesh networks file names, but that nobody knows (istio `analyzers/multicluster/meshnetworks.go`). */
export const checkMeshNetworks = memoize(
  (raw: object | undefined, clusters: ReadonlyMap<string, unknown>, secrets: readonly SourceObject<"Secret">[]): readonly Diagnostic[] => {
    const remote = secrets.filter(({ labels }) => labels[REMOTE_CLUSTER] === "true").flatMap(({ spec }) => Object.keys(spec.data));
    const known = new Set([...OWN, ...clusters.keys(), ...remote]);
    return readNetworks(raw).flatMap(({ id, registries }) =>
      registries.filter((registry) => !known.has(registry)).map((registry) => unknown(id, registry)),
    );
  },
);

function unknown(network: string, registry: string): Diagnostic {
  const key = { cluster: "", kind: "MeshNetworks", namespace: "", name: "meshnetworks" };
  const message = `network ${network} takes its endpoints from cluster "${registry}", which there is none of: name a cluster by its id`;
  return { severity: "error", code: "IST0126", check: "analysis", refused: false, key, field: `networks.${network}.endpoints`, message };
}
