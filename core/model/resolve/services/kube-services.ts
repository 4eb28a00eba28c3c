import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { MeshConfig } from "../../mesh-config.ts";
import type { Service, ServicePort } from "../../service.ts";
import { resolveExportTo } from "../export-to.ts";
import type { Namespaces } from "../registry/namespaces.ts";
import { spiffeId } from "../registry/spiffe.ts";
import { isClusterLocal } from "./cluster-local.ts";
import { kubePortProtocol } from "./port-protocol.ts";
import { hiddenPorts } from "./rivals.ts";
import { distributionSources, trafficDistribution } from "./traffic-distribution.ts";

const UNSPECIFIED = "0.0.0.0";

/** `name.namespace.svc.suffix` (istio `kube.ServiceHostname`). */
export function kubeHost(name: string, namespace: string, domainSuffix: string): string {
  return `${name}.${namespace}.svc.${domainSuffix}`;
}

/** The Service, as `namespace/name`, that has a host in a namespace, were there one; undefined for hosts of another form. */
export function kubeName(host: string, namespace: string, domainSuffix: string): string | undefined {
  const rest = kubeHost("", namespace, domainSuffix);
  const name = host.slice(0, -rest.length);
  return host.endsWith(rest) && name !== "" && !name.includes(".") ? `${namespace}/${name}` : undefined;
}

/** A Kubernetes Service as the mesh sees it from its own cluster (istio `serviceregistry/kube/conversion.go` ConvertService). */
export function kubeService(object: SourceObject<"Service">, config: MeshConfig, namespaces: Namespaces): Service {
  return convert(config, namespaces.find(object.key.namespace), object);
}

const convert = memoize((config: MeshConfig, home: SourceObject<"Namespace"> | undefined, object: SourceObject<"Service">): Service => {
  const { key, spec, labels, annotations } = object;
  const { name, namespace, cluster } = key;
  const host = kubeHost(name, namespace, config.domainSuffix);
  const isAlias = spec.type === "ExternalName" && spec.externalName !== "";
  const isHeadless = spec.clusterIP === "None";
  const addresses = clusterAddresses(object);
  const exported = annotations["networking.istio.io/exportTo"];
  return {
    host,
    name,
    namespace,
    registry: "Kubernetes",
    resolution: isHeadless ? "passthrough" : isAlias ? "alias" : "client-side",
    meshExternal: isAlias,
    ports: spec.ports.map((port): ServicePort => ({ name: port.name, number: port.port, protocol: kubePortProtocol(port) })),
    defaultAddress: addresses[0] ?? UNSPECIFIED,
    clusterAddresses: { [cluster]: addresses },
    autoAddresses: {},
    exportTo: resolveExportTo(exported ? exported.split(",").map((part) => part.trim()) : config.defaultServiceExportTo, namespace),
    labels,
    selector: spec.selector,
    serviceAccounts: annotatedAccounts(object, config.trustDomain),
    trafficDistribution: trafficDistribution(spec.trafficDistribution, annotations, home?.annotations ?? {}),
    nodeLocal: spec.internalTrafficPolicy === "Local",
    publishNotReadyAddresses: spec.publishNotReadyAddresses,
    clusterLocal: isClusterLocal(host, config),
    raceConnect: false,
    aliases: [],
    ...(isAlias && { externalName: spec.externalName }),
    objectName: name,
    sources: [key, ...homeSources(object, config, home)],
  };
});

/** The namespace, where it decides: it lets its Services into the mesh, or says which endpoints they prefer. */
function homeSources(
  { spec, annotations }: SourceObject<"Service">,
  config: MeshConfig,
  home: SourceObject<"Namespace"> | undefined,
): readonly ObjectKey[] {
  if (config.discoverySelectors !== undefined && home !== undefined) return [home.key];
  return distributionSources(spec.trafficDistribution, annotations, home);
}

function clusterAddresses({ spec }: SourceObject<"Service">): readonly string[] {
  if (spec.clusterIP === "None" || spec.clusterIP === "") return [UNSPECIFIED];
  return spec.clusterIPs.length > 1 ? spec.clusterIPs : [spec.clusterIP];
}

function annotatedAccounts({ key, annotations }: SourceObject<"Service">, trustDomain: string): readonly string[] {
  const canonical = annotations["alpha.istio.io/canonical-serviceaccounts"];
  const kubernetes = annotations["alpha.istio.io/kubernetes-serviceaccounts"];
  return [
    ...(canonical ? canonical.split(",") : []),
    ...(kubernetes ? kubernetes.split(",").map((account) => spiffeId(trustDomain, key.namespace, account)) : []),
  ];
}

/**
 * One service per host name: the first cluster's (the config cluster comes first, the others by name) decides everything but the addresses, which each
 * cluster has of its own, and the identities, which are joined (istio `serviceregistry/aggregate/controller.go` mergeService).
 */
export function mergeClusters(services: readonly Service[]): readonly Service[] {
  const byHost = new Map<string, Service[]>();
  for (const service of services) {
    const group = byHost.get(service.host);
    if (group === undefined) byHost.set(service.host, [service]);
    else group.push(service);
  }
  return [...byHost.values()].map((group) => merge(...group));
}

const merge = memoize((...services: readonly Service[]): Service => {
  const [first, ...others] = services as readonly [Service, ...Service[]];
  if (others.length === 0) return first;
  const accounts = others.some((other) => other.serviceAccounts.length > 0);
  return {
    ...first,
    clusterAddresses: Object.assign({}, ...services.toReversed().map((service) => service.clusterAddresses)),
    serviceAccounts: accounts ? [...new Set(services.flatMap((service) => service.serviceAccounts))] : first.serviceAccounts,
    sources: services.flatMap((service) => service.sources),
    ...hiddenPorts(first, others),
  };
});
