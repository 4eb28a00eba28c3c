import { compareText } from "#core/lib/compare.ts";
import { groupBy } from "#core/lib/group.ts";
import { isSubset, type Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import { NETWORK_LABEL } from "#core/lib/topology.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { NetworkGateway } from "../../endpoint.ts";
import { kubeHost } from "../services/kube-services.ts";
import { kubePortProtocol } from "../services/port-protocol.ts";
import type { MeshNetwork } from "./networks.ts";
import type { ClusterRegistry } from "./registry.ts";
import type { ClusterPlace } from "./workload-facts.ts";

export const DEFAULT_GATEWAY_PORT = 15443;
export const GATEWAY_PORT_LABEL = "networking.istio.io/gatewayPort";
const HBONE_PORT = 15008;
const NODE_SELECTOR = "traffic.istio.io/nodeSelector";

/**
 * Where traffic may enter each network: addresses of the mesh networks file, Services that a label or that file names, and what `resources` adds of a
 * cluster (istio `pilot/pkg/model/network.go`, `kube/controller/network.go`). Without duplicates, by address and port. Host names are kept: only DNS
 * clusters can use them.
 */
export function networkGateways(
  networks: readonly MeshNetwork[],
  clusters: readonly ClusterRegistry[],
  resources: (cluster: string) => readonly NetworkGateway[],
): readonly NetworkGateway[] {
  const configured = networks.flatMap(({ id, gateways }) =>
    gateways
      .filter(({ address }) => address !== "")
      .map(({ address, port }): NetworkGateway => ({ network: id, cluster: "", account: "", address, port, hbonePort: 0, sources: [] })),
  );
  const discovered = clusters.flatMap(({ services, nodes, place }) => [
    ...clusterGateways(services, nodes, place, networks),
    ...resources(place.cluster),
  ]);
  const all = new Map([...configured, ...discovered].map((gateway) => [identityOf(gateway), gateway]));
  return [...all.values()].sort(compareGateways);
}

function identityOf({ network, cluster, account, address, port, hbonePort }: NetworkGateway): string {
  return JSON.stringify([network, cluster, account, address, port, hbonePort]);
}

function compareGateways(a: NetworkGateway, b: NetworkGateway): number {
  return compareText(a.address, b.address) || a.port - b.port || compareText(a.network, b.network) || compareText(a.cluster, b.cluster);
}

type Nodes = ClusterRegistry["nodes"];

const clusterGateways = memoize(
  (services: ClusterRegistry["services"], nodes: Nodes, place: ClusterPlace, networks: readonly MeshNetwork[]): readonly NetworkGateway[] => {
    const named = namedServices(networks, place.cluster);
    return [...services.values()].flatMap((service) => serviceGateways(service, nodes, place, named));
  },
);

/** Services that the mesh networks file names, by host: each counts only in clusters that are members of its network. */
function namedServices(networks: readonly MeshNetwork[], cluster: string): NamedServices {
  const members = networks.filter(({ registries }) => registries.includes(cluster));
  const named = members.flatMap(({ id, gateways }) =>
    gateways.map(({ registryServiceName, port }) => ({ host: registryServiceName, network: id, port, hbonePort: 0 })),
  );
  return groupBy(named, ({ host }) => host);
}

type NamedServices = ReadonlyMap<string, readonly Entrance[]>;

function serviceGateways(service: SourceObject<"Service">, nodes: Nodes, place: ClusterPlace, named: NamedServices): readonly NetworkGateway[] {
  const entrances = service.labels[NETWORK_LABEL] ? labelledEntrance(service) : configuredEntrances(service, place, named);
  if (entrances.length === 0) return [];
  const nodePorts = new Map(isNodePortGateway(service) ? service.spec.ports.map(({ port, nodePort }) => [port, nodePort]) : []);
  const { cluster } = place;
  return externalAddresses(service, nodes).flatMap(({ address, sources }) =>
    entrances.map(({ network, port, hbonePort }) => {
      return { network, cluster, account: "", address, port: nodePorts.get(port) ?? port, hbonePort, sources };
    }),
  );
}

type Entrance = Pick<NetworkGateway, "network" | "port" | "hbonePort">;

/** A labelled Service is a gateway if it has the gateway port, or that of HBONE; not over UDP. */
function labelledEntrance({ labels, spec }: SourceObject<"Service">): readonly Entrance[] {
  const given = labels[GATEWAY_PORT_LABEL] ?? "";
  const known = (wanted: number): number => (spec.ports.some((one) => one.port === wanted && kubePortProtocol(one) !== "UDP") ? wanted : 0);
  const port = known(/^[+-]?\d+$/.test(given) ? Number(given) : DEFAULT_GATEWAY_PORT);
  const hbonePort = known(HBONE_PORT);
  return port === 0 && hbonePort === 0 ? [] : [{ network: labels[NETWORK_LABEL] ?? "", port, hbonePort }];
}

function configuredEntrances({ key }: SourceObject<"Service">, { domainSuffix }: ClusterPlace, named: NamedServices): readonly Entrance[] {
  return named.size === 0 ? [] : (named.get(kubeHost(key.name, key.namespace, domainSuffix)) ?? []);
}

function isNodePortGateway({ spec, annotations }: SourceObject<"Service">): boolean {
  return spec.type === "NodePort" && annotations[NODE_SELECTOR] !== undefined;
}

/** Load balancer addresses and external IPs; a NodePort gateway without any takes the external addresses of the nodes that it selects. */
function externalAddresses(service: SourceObject<"Service">, nodes: Nodes): readonly Pick<NetworkGateway, "address" | "sources">[] {
  const { key, spec } = service;
  const balanced =
    spec.type === "LoadBalancer" ? spec.loadBalancer.map(({ ip, hostname }) => ip || hostname).filter((address) => address !== "") : [];
  const addresses = [...balanced, ...spec.externalIPs];
  if (addresses.length > 0 || !isNodePortGateway(service)) return addresses.map((address) => ({ address, sources: [key] }));
  const selector = parseSelector(service.annotations[NODE_SELECTOR] ?? "");
  return [...nodes.values()].flatMap((node) => {
    const address = isSubset(selector, node.labels) ? externalNodeAddress(node) : undefined;
    return address === undefined ? [] : [{ address, sources: [key, node.key] }];
  });
}

function externalNodeAddress({ spec }: SourceObject<"Node">): string | undefined {
  return spec.addresses.find(({ type, address }) => type === "ExternalIP" && address !== "")?.address;
}

/** A JSON object of labels; what doesn't parse selects every node, as in Istio. */
function parseSelector(text: string): Labels {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && Object.values(parsed).every((value) => typeof value === "string")
      ? (parsed as Labels)
      : {};
  } catch {
    return {};
  }
}
