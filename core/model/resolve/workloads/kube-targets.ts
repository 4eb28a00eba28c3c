import type { ObjectKey } from "#core/lib/object-key.ts";
import { lookUp } from "#core/lib/trie.ts";
import type { AddressTarget } from "#core/node/directory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { Service, ServicePort } from "../../service.ts";
import { entryTargetPort, mayTakeEntries } from "../endpoints/selected-entries.ts";
import type { ResolvedMesh } from "../mesh.ts";
import type { ClusterRegistry } from "../registry/registry.ts";
import { selectingServices } from "../registry/selecting-services.ts";
import { entryInstance, type WorkloadInstance } from "../registry/workload-instance.ts";
import { kubeService } from "../services/kube-services.ts";
import type { WorkloadClient } from "./workload-client.ts";

/** A service port that a workload serves, and the age of the service. */
export interface KubeTarget {
  readonly service: Service;
  readonly port: ServicePort;
  readonly targetPort: number;
  readonly created: number;
}

/** What a workload serves for Kubernetes, and the objects that decided it beside the services served. */
export interface KubeTargets {
  readonly targets: readonly KubeTarget[];
  readonly sources: readonly ObjectKey[];
}

type KubePort = SourceObject<"Service">["spec"]["ports"][number];

/** The ports of Kubernetes Services that a workload serves (istio `kube/controller/controller.go` GetProxyServiceTargets). */
export function kubeTargets(mesh: ResolvedMesh, client: WorkloadClient): KubeTargets {
  const found = clustersOf(mesh, client.cluster).map((registry) => {
    const instance = client.registered === "workload-entry" ? findEntry(client.workloadEntry ?? "", registry) : undefined;
    return instance === undefined ? podTargets(mesh, registry, client) : entryTargets(mesh, registry, instance);
  });
  return { targets: found.flatMap(({ targets }) => targets), sources: found.flatMap(({ sources }) => sources) };
}

function findEntry(id: string, registry: ClusterRegistry): WorkloadInstance | undefined {
  const namespace = id.slice(0, id.indexOf("/"));
  const entry = (lookUp(registry.workloadEntries, namespace) ?? []).find(({ key }) => `${key.namespace}/${key.name}` === id);
  return entry && entryInstance(registry.place, entry);
}

/** Services that select a WorkloadEntry and balance themselves; UDP ports have no target here. */
function entryTargets(mesh: ResolvedMesh, registry: ClusterRegistry, instance: WorkloadInstance): KubeTargets {
  const services = selectingServices(registry.servicesByNamespace.get(instance.namespace) ?? [], instance.facts.labels).filter(mayTakeEntries);
  const targets = services.flatMap((object) => {
    const service = kubeService(object, mesh.config, registry.namespaces);
    return object.spec.ports.flatMap((kubePort, index): readonly KubeTarget[] => {
      const port = service.ports[index];
      const targetPort = entryTargetPort(object, kubePort, instance);
      return port === undefined || port.protocol === "UDP" || targetPort === undefined
        ? []
        : [{ service, port, targetPort, created: object.created }];
    });
  });
  return { targets, sources: instance.facts.sources };
}

/** Services that select the Pod, or what the node says of itself where its Pod is unknown; there, one name that can't be resolved voids everything. */
function podTargets(mesh: ResolvedMesh, registry: ClusterRegistry, client: WorkloadClient): KubeTargets {
  const objects = selectingServices(registry.servicesByNamespace.get(client.namespace) ?? [], client.serviceLabels);
  const targets: KubeTarget[] = [];
  for (const object of objects) {
    const service = kubeService(object, mesh.config, registry.namespaces);
    const seen = new Set<string>();
    for (const kubePort of object.spec.ports) {
      const port = service.ports.find(({ name }) => name === kubePort.name);
      const targetPort = targetPortOf(kubePort, client);
      if (targetPort === undefined && client.registered !== "pod") return { targets: [], sources: [object.key] };
      if (port === undefined || targetPort === undefined) continue;
      const id = `${targetPort} ${port.protocol}`;
      if (!seen.has(id)) targets.push({ service, port, targetPort, created: object.created });
      seen.add(id);
    }
  }
  return { targets, sources: [] };
}

/** A number as it is (0 if absent), a name by the containers' ports; a node without any known ports takes a numeric name for the number, or 0. */
function targetPortOf({ targetPort, protocol }: KubePort, { containerPorts, registered }: WorkloadClient): number | undefined {
  if (typeof targetPort !== "string") return targetPort ?? 0;
  if (registered !== "pod" && containerPorts.length === 0) return /^[+-]?\d+$/.test(targetPort) ? Number(targetPort) : 0;
  return containerPorts.find((port) => port.name === targetPort && port.protocol === protocol)?.containerPort;
}

/** The port of a Service whose slices list the workload's address. */
export function sliceTarget({ service: key, port: number, targetPort }: AddressTarget, mesh: ResolvedMesh, cluster: string): readonly KubeTarget[] {
  const name = mesh.records.kubeNames.get(key) ?? "";
  for (const registry of clustersOf(mesh, cluster)) {
    const object = registry.services.get(name);
    const service = object && kubeService(object, mesh.config, registry.namespaces);
    const port = service?.ports.find((one) => one.number === number);
    if (object !== undefined && service !== undefined && port !== undefined) return [{ service, port, targetPort, created: object.created }];
  }
  return [];
}

/** A node that names no cluster may be in any. */
function clustersOf({ registries }: ResolvedMesh, cluster: string): readonly ClusterRegistry[] {
  return registries.clusters.filter(({ place }) => cluster === "" || place.cluster === cluster);
}
