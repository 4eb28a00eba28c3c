import { isSubset } from "#core/lib/labels.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { own } from "#core/lib/own.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { ServiceEntry_Resolution, type ServicePort } from "#proto/networking/v1alpha3/service_entry_pb.js";
import type { WorkloadFacts } from "../../endpoint.ts";
import { addressFacts, type ClusterPlace } from "../registry/workload-facts.ts";
import { inlineInstance, type WorkloadInstance } from "../registry/workload-instance.ts";
import type { EndpointDraft } from "./endpoint-draft.ts";

const UNIX = "unix://";

/** Does the entry look for its endpoints by DNS? Only then may they be host names or sockets. */
function resolvesByDns({ spec }: SourceObject<"ServiceEntry">): boolean {
  return spec.entry.resolution === ServiceEntry_Resolution.DNS || spec.entry.resolution === ServiceEntry_Resolution.DNS_ROUND_ROBIN;
}

/** Workloads of a namespace that a ServiceEntry may select, in Istio's order. */
export type Candidates = (namespace: string) => readonly WorkloadInstance[];

/**
 * The endpoints that a ServiceEntry gives one of its hosts, endpoint by endpoint and port by port; the same for each of its addresses
 * (istio `serviceentry/conversion.go` convertServiceEntryToInstances, services).
 */
export function entryEndpoints(
  entry: SourceObject<"ServiceEntry">,
  host: string,
  place: ClusterPlace,
  candidates: Candidates,
): readonly EndpointDraft[] {
  const { ports, endpoints, workloadSelector } = entry.spec.entry;
  if (workloadSelector !== undefined) {
    const byDns = resolvesByDns(entry);
    const selected = candidates(entry.key.namespace).filter((one) => (byDns || !one.dnsOnly) && isSubset(workloadSelector.labels, one.facts.labels));
    return selected.flatMap((instance) => ports.map((port) => draft(instance, port, entry.key)));
  }
  if (endpoints.length === 0 && resolvesByDns(entry)) return ports.map((port) => hostEndpoint(entry, host, port, place));
  return endpoints.flatMap((endpoint, index) => {
    const instance = inlineInstance(endpoint, index, entry, place);
    return ports.map((port) => draft(instance, port, entry.key));
  });
}

function draft(instance: WorkloadInstance, port: ServicePort, listedBy: ObjectKey): EndpointDraft {
  const { facts, address, weight, kind } = instance;
  const isSocket = address.startsWith(UNIX);
  return {
    facts,
    address: isSocket ? address.slice(UNIX.length) : address,
    port: isSocket ? 0 : own(instance.ports, port.name) || port.targetPort || port.number,
    servicePortName: port.name,
    servicePort: port.number,
    health: kind === "pod" ? "healthy" : "unset",
    weight,
    listedBy,
  };
}

/** Without endpoints, a name that is to be resolved is its own endpoint. */
function hostEndpoint({ key }: SourceObject<"ServiceEntry">, host: string, port: ServicePort, place: ClusterPlace): EndpointDraft {
  const facts: WorkloadFacts = { ...addressFacts(place), labels: {}, network: "", namespace: key.namespace, workloadName: key.name };
  return {
    facts,
    address: host,
    port: port.targetPort || port.number,
    servicePortName: port.name,
    servicePort: port.number,
    health: "unset",
    weight: 0,
    listedBy: key,
  };
}
