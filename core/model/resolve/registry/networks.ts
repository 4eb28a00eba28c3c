import { type Address, formatAddress, parseAddress } from "#core/lib/address.ts";
import { parseRange } from "#core/lib/address-range.ts";
import { type Cidr, cidrContains, parseCidr } from "#core/lib/cidr.ts";
import { compareText } from "#core/lib/compare.ts";
import type { Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import { rawList, rawRecord, rawText } from "#core/lib/raw.ts";
import { NETWORK_LABEL } from "#core/lib/topology.ts";
import type { NetworkRange } from "../../network-range.ts";

/** One network of the mesh networks file (istio `mesh.v1alpha1.MeshNetworks`). */
export interface MeshNetwork {
  readonly id: string;
  /** Clusters all of whose endpoints belong to it. */
  readonly registries: readonly string[];
  readonly ranges: readonly Cidr[];
  /** The same, and single addresses besides, as ranges of one. */
  readonly internal: readonly Cidr[];
  /** Either an address or the host of a service of a member cluster. */
  readonly gateways: readonly { readonly address: string; readonly registryServiceName: string; readonly port: number }[];
}

/** Reads the mesh networks file, already parsed from YAML; sorted by id. What is not understood is left out. */
export function readNetworks(raw: unknown): readonly MeshNetwork[] {
  const networks = rawRecord(rawRecord(raw).networks);
  return Object.keys(networks)
    .sort(compareText)
    .map((id): MeshNetwork => {
      const { endpoints, gateways } = rawRecord(networks[id]);
      const members = rawList(endpoints).map(rawRecord);
      return {
        id,
        registries: members.map((member) => rawText(member.fromRegistry)).filter((name) => name !== ""),
        ranges: members.flatMap((member) => parseCidr(rawText(member.fromCidr)) ?? []),
        internal: members.flatMap((member) => parseRange(rawText(member.fromCidr)) ?? []),
        gateways: rawList(gateways)
          .map(rawRecord)
          .map((gateway) => ({
            address: rawText(gateway.address),
            registryServiceName: rawText(gateway.registryServiceName),
            port: Number(gateway.port ?? 0),
          })),
      };
    });
}

/** All ranges of a mesh's networks, in order of family, address and length (istio `networking/util` MeshNetworksToEnvoyInternalAddressConfig). */
export const networkRanges = memoize((networks: readonly MeshNetwork[]): readonly NetworkRange[] =>
  networks
    .flatMap(({ internal }) => internal)
    .sort((a, b) => compareAddresses(a.address, b.address) || a.bits - b.bits)
    .map(({ address, bits }) => ({ prefix: formatAddress(address), length: bits })),
);

function compareAddresses(a: Address, b: Address): number {
  const index = a.groups.findIndex((group, at) => group !== b.groups[at]);
  return a.groups.length - b.groups.length || (a.groups[index] ?? 0) - (b.groups[index] ?? 0);
}

/** How endpoints of one cluster get their network. */
export interface ClusterNetwork {
  /** Label `topology.istio.io/network` of the system namespace. */
  readonly namespaceLabel: string;
  /** `fromRegistry` of the mesh networks file. */
  readonly registry: string;
  /** Widest range first, since Istio takes the first that a prefix tree finds. */
  readonly ranges: readonly { readonly cidr: Cidr; readonly network: string }[];
}

/** What decides the networks of one cluster. */
export const clusterNetwork = memoize(
  (networks: readonly MeshNetwork[], place: { readonly cluster: string; readonly namespaceLabel: string }): ClusterNetwork => {
    const ranges = networks.flatMap(({ id, ranges }) => ranges.map((cidr) => ({ cidr, network: id })));
    return {
      namespaceLabel: place.namespaceLabel,
      registry: networks.find(({ registries }) => registries.includes(place.cluster))?.id ?? "",
      ranges: ranges.sort((a, b) => a.cidr.bits - b.cidr.bits),
    };
  },
);

/**
 * The network of a workload: its own label, its system namespace's, its cluster's, the range of its address; "" if none
 * (istio `serviceregistry/kube/controller/controller.go` Network).
 */
export function networkOf(address: string, labels: Labels, network: ClusterNetwork): string {
  return labels[NETWORK_LABEL] || network.namespaceLabel || network.registry || networkByRange(address, network);
}

function networkByRange(text: string, { ranges }: ClusterNetwork): string {
  const address = ranges.length === 0 ? undefined : parseAddress(text);
  return address === undefined ? "" : (ranges.find(({ cidr }) => cidrContains(cidr, address))?.network ?? "");
}
