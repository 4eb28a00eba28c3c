import { joined } from "#core/lib/joined.ts";
import { memoize } from "#core/lib/memo.ts";
import { lookUp } from "#core/lib/trie.ts";
import type { Directory, DirectoryEntry } from "#core/node/directory.ts";
import type { ResolvedMesh } from "../mesh.ts";
import type { ClusterRegistry } from "../registry/registry.ts";
import { addressEntries, findAddress } from "./directory-addresses.ts";

/**
 * What placement finds nodes by: Pods by name, WorkloadEntries and ServiceEntry endpoints by address. A node that names no cluster is looked for in all of
 * them, the config cluster first.
 */
export function resolveDirectory({ registries, claims }: Pick<ResolvedMesh, "registries" | "claims">): Directory {
  return directoryOf(registries.clusters, claims);
}

const directoryOf = memoize((clusters: readonly ClusterRegistry[], claims: ResolvedMesh["claims"]): Directory => {
  const own = clusters[0]?.place.cluster ?? "";
  const partsOf = ({ podEntries, workloadEntriesByAddress, place }: ClusterRegistry): readonly (readonly DirectoryEntry[])[] => [
    podEntries.all(),
    addressEntries(claims, workloadEntriesByAddress, place, place.cluster === own),
  ];
  const firstOf = (cluster: string, find: (registry: ClusterRegistry) => DirectoryEntry | undefined): DirectoryEntry | undefined => {
    for (const registry of clusters) {
      const found = cluster === "" || cluster === registry.place.cluster ? find(registry) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    get entries() {
      return joined(...clusters.flatMap(partsOf));
    },
    byName: (cluster, name, namespace) => firstOf(cluster, ({ podEntries }) => podEntries.find(namespace, name)),
    byAddress: (cluster, address) =>
      firstOf(cluster, ({ place, workloadEntriesByAddress }) =>
        findAddress({ claims: lookUp(claims, address), entries: lookUp(workloadEntriesByAddress, address), place, isOwn: place.cluster === own }),
      ),
  };
});
