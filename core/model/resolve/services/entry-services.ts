import { formatAddress, isAddress, parseAddress } from "#core/lib/address.ts";
import { addressBits, parseCidr } from "#core/lib/cidr.ts";
import { compareText } from "#core/lib/compare.ts";
import { selectorFits } from "#core/lib/label-selector.ts";
import type { Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { type ServicePort as EntryPort, ServiceEntry_Location, ServiceEntry_Resolution } from "#proto/networking/v1alpha3/service_entry_pb.js";
import type { EntryVisibility, MeshConfig } from "../../mesh-config.ts";
import type { ExportTo, Resolution, Service, ServicePort } from "../../service.ts";
import { HIDDEN, isVisible, resolveExportTo } from "../export-to.ts";
import type { Namespaces } from "../registry/namespaces.ts";
import { type Allocations, allocationKey, wantsAddresses } from "./auto-addresses.ts";
import { isClusterLocal } from "./cluster-local.ts";
import { parseProtocol } from "./port-protocol.ts";
import { distributionSources, trafficDistribution } from "./traffic-distribution.ts";

const UNSPECIFIED = "0.0.0.0";

/** What a ServiceEntry's resolution means for its services. */
export const ENTRY_RESOLUTIONS: Readonly<Record<ServiceEntry_Resolution, Resolution>> = {
  [ServiceEntry_Resolution.NONE]: "passthrough",
  [ServiceEntry_Resolution.STATIC]: "client-side",
  [ServiceEntry_Resolution.DNS]: "dns",
  [ServiceEntry_Resolution.DNS_ROUND_ROBIN]: "dns-round-robin",
  [ServiceEntry_Resolution.DYNAMIC_DNS]: "dynamic-dns",
};

/**
 * The services of a ServiceEntry: one per host and address, hosts first, or one per host with "0.0.0.0" where it lists no address
 * (istio `serviceregistry/serviceentry/conversion.go` convertServices).
 */
export function entryServices(object: SourceObject<"ServiceEntry">, { config, namespaces, allocations }: EntryContext): readonly Service[] {
  return convert(config, allocations, namespaces.find(object.key.namespace), object);
}

/** What ServiceEntries are converted with. */
export interface EntryContext {
  readonly config: MeshConfig;
  /** Of the config cluster. */
  readonly namespaces: Namespaces;
  readonly allocations: Allocations;
}

const convert = memoize(
  (
    config: MeshConfig,
    allocations: Allocations,
    home: SourceObject<"Namespace"> | undefined,
    object: SourceObject<"ServiceEntry">,
  ): readonly Service[] => {
    const { key, labels, annotations } = object;
    const { entry } = object.spec;
    const resolution = ENTRY_RESOLUTIONS[entry.resolution] ?? "client-side";
    const shared = {
      namespace: key.namespace,
      registry: "External",
      resolution,
      meshExternal: entry.location === ServiceEntry_Location.MESH_EXTERNAL,
      ports: entry.ports.map(entryPort),
      ...(resolution === "passthrough" &&
        entry.ports.some(({ targetPort }) => targetPort !== 0) && { targetPortOverrides: portOverrides(entry.ports) }),
      clusterAddresses: {},
      exportTo: entryExportTo(object, config, home?.labels ?? {}),
      ...(entry.exportTo.length > 0 && { declaredExportTo: [...new Set(entry.exportTo)].sort(compareText) }),
      labels,
      selector: entry.workloadSelector?.labels ?? {},
      serviceAccounts: entry.subjectAltNames,
      trafficDistribution: trafficDistribution("", annotations, home?.annotations ?? {}),
      nodeLocal: false,
      publishNotReadyAddresses: false,
      raceConnect: (annotations["istio.io/connect-strategy"] ?? "").toUpperCase() === "RACE_FIRST_TCP_CONNECT",
      aliases: [],
      objectName: key.name,
      sources: [key, ...homeSources(object, config, home)],
    } as const;
    const addresses = entry.addresses.length === 0 ? [UNSPECIFIED] : entry.addresses.flatMap(entryAddress);
    return entry.hosts.flatMap((host) =>
      addresses.map(
        (defaultAddress): Service => ({
          ...shared,
          host,
          name: host,
          defaultAddress,
          autoAddresses: autoAddresses(object, host, allocations),
          clusterLocal: isClusterLocal(host, config),
        }),
      ),
    );
  },
);

function entryPort({ name, number, protocol }: EntryPort): ServicePort {
  return { name, number, protocol: parseProtocol(protocol) };
}

/** Istio `serviceentry/conversion.go` PassthroughTargetPorts: they belong to the service, and so are not joined where ports of entries are. */
function portOverrides(ports: readonly EntryPort[]): Readonly<Record<number, number>> {
  return Object.fromEntries(ports.filter(({ targetPort }) => targetPort !== 0).map(({ number, targetPort }) => [number, targetPort]));
}

/** An IP address, or a range; one of full length counts as its address, and what is neither is dropped. */
function entryAddress(text: string): readonly string[] {
  if (isAddress(text)) return [text];
  const cidr = parseCidr(text);
  if (cidr === undefined) return [];
  return [cidr.bits === addressBits(cidr.address) ? formatAddress(cidr.address) : text];
}

/** What the status says of a host, of several addresses of a family the last; else what was allocated to it here. */
function autoAddresses(object: SourceObject<"ServiceEntry">, host: string, allocations: Allocations): Service["autoAddresses"] {
  if (!wantsAddresses(object)) return {};
  const found: { v4?: string; v6?: string } = {};
  const given = object.spec.status?.addresses.filter((one) => one.host === host) ?? [];
  for (const { value } of given) {
    const address = parseAddress(value);
    if (address !== undefined) found[address.family] = formatAddress(address);
  }
  return given.length > 0 ? found : (allocations[allocationKey(object.key.namespace, host)] ?? {});
}

/** What the entry exports, narrowed by the mesh's `serviceEntryVisibility` for its namespace (istio `push_context.go` serviceExportTo). */
function entryExportTo(object: SourceObject<"ServiceEntry">, config: MeshConfig, namespaceLabels: Labels): ExportTo {
  const { namespace } = object.key;
  const { exportTo } = object.spec.entry;
  const exported = resolveExportTo(exportTo.length > 0 ? exportTo : config.defaultServiceExportTo, namespace);
  const cap = visibilityFor(config, namespaceLabels);
  if (cap === "PUBLIC") return exported;
  return cap === "NAMESPACE" && isVisible(exported, namespace) ? { kind: "namespaces", namespaces: [namespace] } : HIDDEN;
}

/** The namespace, where its labels or annotations decide. */
function homeSources(
  { annotations }: SourceObject<"ServiceEntry">,
  config: MeshConfig,
  home: SourceObject<"Namespace"> | undefined,
): readonly ObjectKey[] {
  const selected = (config.serviceEntryVisibility?.policies.length ?? 0) > 0;
  return selected && home !== undefined ? [home.key] : distributionSources("", annotations, home);
}

function visibilityFor({ serviceEntryVisibility }: MeshConfig, namespaceLabels: Labels): EntryVisibility {
  if (serviceEntryVisibility === undefined) return "PUBLIC";
  const policy = serviceEntryVisibility.policies.find(({ namespaceSelectors }) =>
    namespaceSelectors.every((selector) => selector !== undefined && selectorFits(selector, namespaceLabels)),
  );
  return policy?.visibility ?? serviceEntryVisibility.defaultVisibility;
}
