import { compareText } from "#core/lib/compare.ts";
import { concatenated } from "#core/lib/joined.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { lookUp } from "#core/lib/trie.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { ServiceEntry_Resolution } from "#proto/networking/v1alpha3/service_entry_pb.js";
import type { Endpoint, ServiceEndpoints } from "../../endpoint.ts";
import type { ClusterRegistry } from "../registry/registry.ts";
import { kubeName } from "../services/kube-services.ts";
import type { EntryClaim, ServiceRecords } from "../services/service-records.ts";
import { type Candidates, entryEndpoints } from "./entry-endpoints.ts";
import type { MtlsVerdict } from "./mtls-verdict.ts";
import { selectedEntryEndpoints } from "./selected-entries.ts";
import { sliceEndpoints } from "./slice-endpoints.ts";

/** What the endpoints of a service are found in. */
export interface EndpointSources {
  readonly records: ServiceRecords;
  /** The config cluster first. */
  readonly clusters: readonly ClusterRegistry[];
  readonly candidates: Candidates;
  readonly mtls: MtlsVerdict;
}

/**
 * All endpoints of a host in a namespace: those of ServiceEntries, then those of each cluster's Service, by the clusters' names
 * (istio `pilot/pkg/model/endpointshards.go`: shards are sorted by provider, then cluster).
 */
export function serviceEndpoints(key: string, sources: EndpointSources): ServiceEndpoints {
  const { records, clusters } = sources;
  const claims = records.claims.get(key) ?? [];
  const slash = key.indexOf("/");
  const host = key.slice(slash + 1);
  const namespace = key.slice(0, slash);
  const name = kubeName(host, namespace, clusters[0]?.place.domainSuffix ?? "");
  const members = name === undefined ? [] : byName(clusters);
  const listed = members.map((cluster) => kubeEndpoints(name ?? "", cluster, sources.mtls));
  return {
    host,
    namespace,
    endpoints: concatenated(claimedEndpoints(claims, sources), ...listed),
    sources: concatenated(
      claims.map(({ entry }) => entry.key),
      ...members.map((cluster) => sliceKeys(name ?? "", cluster)),
    ),
  };
}

const byName = memoize((clusters: readonly ClusterRegistry[]) => clusters.toSorted((a, b) => compareText(a.place.cluster, b.place.cluster)));

/** Slices count in a cluster without the Service, too, where another cluster or a ServiceEntry has its host (istio `kube/controller/endpointslice.go` updateEndpointSlice). */
function kubeEndpoints(name: string, registry: ClusterRegistry, mtls: MtlsVerdict): readonly Endpoint[] {
  const service = registry.services.get(name);
  const slices = lookUp(registry.slices, name) ?? [];
  if (service === undefined) return sliceEndpoints(slices, { drains: false, registry, mtls });
  const selected = selectedEntryEndpoints(service, registry, mtls);
  if (selected.length === 0 && isHidden(service)) return [];
  return concatenated(sliceEndpoints(slices, { drains: mayDrain(service), registry, mtls }), selected);
}

/**
 * A Service that no one may see brings its host no endpoints, though another cluster may show it (istio `endpointslice.go` serviceNeedsPush). Only where
 * it selects a WorkloadEntry does Istio forget to ask (`controller.go` workloadInstanceHandler), for all of its endpoints.
 */
function isHidden({ annotations }: SourceObject<"Service">): boolean {
  return (annotations["networking.istio.io/exportTo"] ?? "").split(",").some((namespace) => namespace.trim() === "~");
}

function sliceKeys(name: string, registry: ClusterRegistry): readonly ObjectKey[] {
  return (lookUp(registry.slices, name) ?? []).map(({ key }) => key);
}

/** Sessions stick to endpoints on their way out where the service asks for it (istio `model.Service.SupportsDrainingEndpoints`). */
function mayDrain({ labels }: SourceObject<"Service">): boolean {
  return !!labels["istio.io/persistent-session"] || !!labels["istio.io/persistent-session-header"];
}

/**
 * ServiceEntries of one host join their endpoints, the oldest first, once for each of their addresses. A round-robin DNS entry adds none to a port that
 * has one already (istio `serviceentry/conversion.go` mergeServicesInstancesByNamespaceHost).
 */
function claimedEndpoints(claims: readonly EntryClaim[], { clusters, candidates, mtls }: EndpointSources): readonly Endpoint[] {
  const place = clusters[0]?.place;
  if (place === undefined) return [];
  const taken = new Set<number>();
  const endpoints: Endpoint[] = [];
  for (const { entry, host, addresses } of claims) {
    const roundRobin = entry.spec.entry.resolution === ServiceEntry_Resolution.DNS_ROUND_ROBIN;
    const found = entryEndpoints({ entry, host, place }, candidates, mtls);
    for (let copy = 0; copy < addresses; copy++) {
      for (const endpoint of found) {
        if (roundRobin && taken.has(endpoint.port.servicePort)) continue;
        endpoints.push(endpoint);
        taken.add(endpoint.port.servicePort);
      }
    }
  }
  return endpoints;
}
