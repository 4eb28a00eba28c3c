import { isSubset } from "#core/lib/labels.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { own } from "#core/lib/own.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { ServiceEntry_Resolution, type ServicePort } from "#proto/networking/v1alpha3/service_entry_pb.js";
import type { Endpoint, EndpointPort, WorkloadFacts } from "../../endpoint.ts";
import { addressFacts, type ClusterPlace } from "../registry/workload-facts.ts";
import { inlineInstance, type WorkloadInstance } from "../registry/workload-instance.ts";
import type { MtlsVerdict } from "./mtls-verdict.ts";

const UNIX = "unix://";

/** Does the entry look for its endpoints by DNS? Only then may they be host names or sockets. */
function resolvesByDns({ spec }: SourceObject<"ServiceEntry">): boolean {
  return spec.entry.resolution === ServiceEntry_Resolution.DNS || spec.entry.resolution === ServiceEntry_Resolution.DNS_ROUND_ROBIN;
}

/** Workloads of a namespace that a ServiceEntry may select, in Istio's order. */
export type Candidates = (namespace: string) => readonly WorkloadInstance[];

/** One of the hosts of a ServiceEntry, and the cluster that it is in. */
export interface EntryHost {
  readonly entry: SourceObject<"ServiceEntry">;
  readonly host: string;
  readonly place: ClusterPlace;
}

/**
 * The endpoints that a ServiceEntry gives one of its hosts, endpoint by endpoint and port by port; the same for each of its addresses
 * (istio `serviceentry/conversion.go` convertServiceEntryToInstances, services).
 */
export function entryEndpoints({ entry, host, place }: EntryHost, candidates: Candidates, mtls: MtlsVerdict): readonly Endpoint[] {
  const { ports, endpoints, workloadSelector } = entry.spec.entry;
  if (workloadSelector !== undefined) {
    const byDns = resolvesByDns(entry);
    const selected = candidates(entry.key.namespace).filter((one) => (byDns || !one.dnsOnly) && isSubset(workloadSelector.labels, one.facts.labels));
    return selected.flatMap((instance) => ports.map((port) => endpointOf(instance, portOf(instance, port, entry.key), mtls)));
  }
  if (endpoints.length === 0 && resolvesByDns(entry)) return ports.map((port) => hostEndpoint({ entry, host, place }, port, mtls));
  return endpoints.flatMap((endpoint, index) => {
    const instance = inlineInstance(endpoint, index, entry, place);
    return ports.map((port) => endpointOf(instance, portOf(instance, port, entry.key), mtls));
  });
}

function portOf({ address, ports }: WorkloadInstance, port: ServicePort, listedBy: ObjectKey): EndpointPort {
  const number = address.startsWith(UNIX) ? 0 : own(ports, port.name) || port.targetPort || port.number;
  return { number, servicePortName: port.name, servicePort: port.number, listedBy };
}

function endpointOf({ facts, address, weight, kind }: WorkloadInstance, port: EndpointPort, mtls: MtlsVerdict): Endpoint {
  return {
    workload: facts,
    address: address.startsWith(UNIX) ? address.slice(UNIX.length) : address,
    port,
    health: kind === "pod" ? "healthy" : "unset",
    weight,
    mtls: mtls(facts)(port.number),
  };
}

/** Without endpoints, a name that is to be resolved is its own endpoint. */
function hostEndpoint({ entry: { key }, host, place }: EntryHost, port: ServicePort, mtls: MtlsVerdict): Endpoint {
  const workload: WorkloadFacts = { ...addressFacts(place), labels: {}, network: "", namespace: key.namespace, workloadName: key.name };
  const number = port.targetPort || port.number;
  return {
    workload,
    address: host,
    port: { number, servicePortName: port.name, servicePort: port.number, listedBy: key },
    health: "unset",
    weight: 0,
    mtls: mtls(workload)(number),
  };
}
