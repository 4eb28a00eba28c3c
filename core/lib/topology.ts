import { type Labels, mergeLabels } from "./labels.ts";

/** Labels that say where a workload stands (Kubernetes' well-known ones, and Istio's). */
export const REGION_LABEL = "topology.kubernetes.io/region";
export const ZONE_LABEL = "topology.kubernetes.io/zone";
export const SUBZONE_LABEL = "topology.istio.io/subzone";
export const CLUSTER_LABEL = "topology.istio.io/cluster";
export const NETWORK_LABEL = "topology.istio.io/network";
export const HOSTNAME_LABEL = "kubernetes.io/hostname";

export interface Place {
  readonly cluster: string;
  /** `region/zone/subzone` as text, maybe shorter. */
  readonly locality: string;
  readonly nodeName: string;
  readonly network: string;
}

/**
 * Adds what is known of a workload's place to its labels, so that subsets and failover priorities may name it. A network label of its own wins;
 * all others are overwritten (istio `pilot/pkg/serviceregistry/util/label` AugmentLabels).
 */
export function withTopologyLabels(labels: Labels, place: Place): Labels {
  const network = place.network !== "" && !labels[NETWORK_LABEL];
  return mergeLabels(labels, topologyLabels(place), network ? { [NETWORK_LABEL]: place.network } : {});
}

/** The labels that a place gives to whatever stands there, the network's apart. */
export function topologyLabels(place: Omit<Place, "network">): Labels {
  const out: Record<string, string> = {};
  const [region = "", zone = "", subzone = ""] = place.locality.split("/");
  if (region !== "") out[REGION_LABEL] = region;
  if (zone !== "") out[ZONE_LABEL] = zone;
  if (subzone !== "") out[SUBZONE_LABEL] = subzone;
  if (place.cluster !== "") out[CLUSTER_LABEL] = place.cluster;
  if (place.nodeName !== "") out[HOSTNAME_LABEL] = place.nodeName;
  return out;
}

/** The locality that a label gives; since labels can't hold "/", dots stand for it unless there is one (istio `pkg/model` SanitizeLocalityLabel). */
export function localityFromLabels(labels: Labels): string {
  const label = labels["topology.istio.io/locality"] ?? labels["istio-locality"] ?? "";
  return label.includes("/") ? label : label.replaceAll(".", "/");
}
