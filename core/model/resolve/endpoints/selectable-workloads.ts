import { lookUp } from "#core/lib/trie.ts";
import type { ClusterRegistry } from "../registry/registry.ts";
import { compareInstances, entryInstance, isServing, podInstance, type WorkloadInstance } from "../registry/workload-instance.ts";

/**
 * The workloads of a namespace that a ServiceEntry may select, in order: WorkloadEntries of every cluster, those of others only with an IP address, and
 * serving Pods of its own cluster. Of several with one name the config cluster's WorkloadEntry comes first, then its Pod.
 */
export function selectableWorkloads(namespace: string, clusters: readonly ClusterRegistry[]): readonly WorkloadInstance[] {
  const byName = new Map<string, WorkloadInstance>();
  for (const instance of clusters.flatMap((registry, index) => ownWorkloads(namespace, registry, index === 0))) {
    if (!byName.has(instance.name)) byName.set(instance.name, instance);
  }
  return [...byName.values()].sort(compareInstances);
}

function ownWorkloads(namespace: string, registry: ClusterRegistry, isConfigCluster: boolean): readonly WorkloadInstance[] {
  const entries = (lookUp(registry.workloadEntries, namespace) ?? []).flatMap((entry): readonly WorkloadInstance[] => {
    const instance = entryInstance(registry.place, entry);
    return instance === undefined || (instance.dnsOnly && !isConfigCluster) ? [] : [instance];
  });
  const pods = isConfigCluster ? (lookUp(registry.podsByNamespace, namespace) ?? []).filter(isServing) : [];
  return [...entries, ...pods.map((pod) => podInstance(registry.place, registry.nodes.get(pod.spec.nodeName), pod))];
}
