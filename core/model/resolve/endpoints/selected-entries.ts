import { isSelected } from "#core/lib/labels.ts";
import { own } from "#core/lib/own.ts";
import { lookUp } from "#core/lib/trie.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { Endpoint } from "../../endpoint.ts";
import type { ClusterRegistry } from "../registry/registry.ts";
import { entryInstance, type WorkloadInstance } from "../registry/workload-instance.ts";
import type { MtlsVerdict } from "./mtls-verdict.ts";

type KubePort = SourceObject<"Service">["spec"]["ports"][number];

/** Do WorkloadEntries join this Service? Only where it balances itself and selects at all. */
export function mayTakeEntries({ spec }: SourceObject<"Service">): boolean {
  return spec.clusterIP !== "None" && !(spec.type === "ExternalName" && spec.externalName !== "");
}

/**
 * WorkloadEntries that a Kubernetes Service selects beside its Pods, port by port
 * (istio `kube/controller/controller.go` serviceInstancesFromWorkloadInstances).
 */
export function selectedEntryEndpoints(service: SourceObject<"Service">, registry: ClusterRegistry, mtls: MtlsVerdict): readonly Endpoint[] {
  if (!mayTakeEntries(service)) return [];
  const instances = (lookUp(registry.workloadEntries, service.key.namespace) ?? []).flatMap((entry): readonly WorkloadInstance[] => {
    const instance = entryInstance(registry.place, entry);
    return instance !== undefined && !instance.dnsOnly && isSelected(service.spec.selector, instance.facts.labels) ? [instance] : [];
  });
  return service.spec.ports.flatMap((port) =>
    instances.flatMap((instance): readonly Endpoint[] => {
      const target = entryTargetPort(service, port, instance);
      if (target === undefined) return [];
      const { facts, address, weight } = instance;
      const listed = { number: target, servicePortName: port.name, servicePort: 0, listedBy: service.key };
      return [{ workload: facts, address, port: listed, health: "unset", weight, mtls: mtls(facts)(target) }];
    }),
  );
}

/**
 * The port of a WorkloadEntry behind a service port: a named target port must be in the entry's map, a numeric one may be overridden there under the
 * service port's name. The first service port with the same name or number gives the target. Undefined: the entry doesn't serve the port.
 */
export function entryTargetPort(service: SourceObject<"Service">, port: KubePort, instance: WorkloadInstance): number | undefined {
  const first = service.spec.ports.find(({ name, port: number }) => name === port.name || number === port.port) ?? port;
  const { targetPort } = first;
  if (typeof targetPort === "string" && targetPort !== "") return own(instance.ports, targetPort) || undefined;
  if (typeof targetPort === "number" && targetPort > 0) return own(instance.ports, first.name) || targetPort;
  return port.port;
}
