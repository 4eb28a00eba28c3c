import { memoize } from "#core/lib/memo.ts";
import { lookUp } from "#core/lib/trie.ts";
import type { Directory, DirectoryEntry } from "#core/node/directory.ts";
import { addressEntries, findAddress } from "./directory-addresses.ts";
import { findPod, podEntries } from "./directory-pods.ts";
import type { ResolvedMesh } from "./mesh.ts";

/**
 * What placement finds nodes by: Pods by name, WorkloadEntries and ServiceEntry endpoints by address. A node that names no cluster is looked for in all of
 * them, the config cluster first.
 */
export function resolveDirectory({ registries, config, claims }: Pick<ResolvedMesh, "registries" | "config" | "claims">): Directory {
  const { clusters } = registries;
  const own = clusters[0]?.place.cluster ?? "";
  const parts = clusters.flatMap((registry) => [
    podEntries(registry, config.domainSuffix),
    addressEntries(claims, registry.workloadEntriesByAddress, registry.place, registry.place.cluster === own),
  ]);
  const firstOf = (cluster: string, find: (registry: (typeof clusters)[number]) => DirectoryEntry | undefined): DirectoryEntry | undefined => {
    for (const registry of clusters) {
      const found = cluster === "" || cluster === registry.place.cluster ? find(registry) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    entries: joinParts(...parts),
    byName: (cluster, name, namespace) => firstOf(cluster, (registry) => findPod(`${namespace}/${name}`, registry, config.domainSuffix)),
    byAddress: (cluster, address) =>
      firstOf(cluster, ({ place, workloadEntriesByAddress }) =>
        findAddress({ claims: lookUp(claims, address), entries: lookUp(workloadEntriesByAddress, address), place, isOwn: place.cluster === own }),
      ),
  };
}

const joinParts = memoize((...parts: readonly (readonly DirectoryEntry[])[]): readonly DirectoryEntry[] => parts.flat());
