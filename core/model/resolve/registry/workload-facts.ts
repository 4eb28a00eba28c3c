import { keyed } from "#core/lib/keyed.ts";
import { type Labels, mergeLabels } from "#core/lib/labels.ts";
import { memoize, memoizeMany } from "#core/lib/memo.ts";
import { localityFromLabels, NETWORK_LABEL, SUBZONE_LABEL, topologyLabels, withTopologyLabels } from "#core/lib/topology.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { WorkloadFacts } from "../../endpoint.ts";
import { type ClusterNetwork, networkOf } from "./networks.ts";
import { podWorkloadName } from "./pod-name.ts";
import { spiffeId } from "./spiffe.ts";
import { workloadTraits } from "./workload-traits.ts";

/** What Pods and addresses of one cluster are judged by. */
export interface ClusterPlace {
  readonly cluster: string;
  readonly trustDomain: string;
  readonly domainSuffix: string;
  readonly network: ClusterNetwork;
}

/** Istio `kube/controller/endpoint_builder.go` NewEndpointBuilder for a known Pod. */
export const podFacts = memoizeMany((pod: SourceObject<"Pod">, place: ClusterPlace, node: SourceObject<"Node"> | undefined): WorkloadFacts => {
  const { key, spec, labels } = pod;
  const own = localityFromLabels(labels);
  const ofNode = nodeFacts(place, node);
  const locality = own || ofNode.locality;
  const network = networkOf(spec.podIP, labels, place.network);
  const known = own === "" && node !== undefined;
  const placed = known
    ? labelsOn(ofNode.labels, labels)
    : mergeLabels(labels, topologyLabels({ cluster: place.cluster, locality, nodeName: spec.nodeName }));
  return {
    labels: network === "" || labels[NETWORK_LABEL] ? placed : mergeLabels(placed, { [NETWORK_LABEL]: network }),
    traits: workloadTraits(labels),
    serviceAccount: identityOf(place)(key.namespace, spec.serviceAccountName),
    tlsMode: labels["security.istio.io/tlsMode"] ?? "disabled",
    workloadName: podWorkloadName(pod),
    namespace: key.namespace,
    cluster: place.cluster,
    network,
    locality,
    nodeName: spec.nodeName,
    hostName: spec.subdomain === "" ? "" : spec.hostname || key.name,
    subdomain: spec.subdomain,
    sources: node === undefined ? [key] : [key, node.key],
  };
});

/** One value for all Pods of a workload on a node: sources give equal labels one identity. */
const labelsOn = memoize((ofNode: Labels, labels: Labels): Labels => mergeLabels(labels, ofNode));

/** One text for all Pods of a service account. */
const identityOf = memoize((place: ClusterPlace) => {
  const known = keyed<string>();
  let last = { namespace: "", account: "", identity: "" };
  return (namespace: string, account: string): string => {
    // The Pods of a workload come one after the other.
    if (last.identity !== "" && last.account === account && last.namespace === namespace) return last.identity;
    last = { namespace, account, identity: known(`${namespace}/${account}`, () => spiffeId(place.trustDomain, namespace, account)) };
    return last.identity;
  };
});

/** What every Pod of a node has from it. */
const nodeFacts = memoize((place: ClusterPlace, node: SourceObject<"Node"> | undefined): { readonly locality: string; readonly labels: Labels } => {
  const locality = nodeLocality(node?.labels);
  return { locality, labels: topologyLabels({ cluster: place.cluster, locality, nodeName: node?.key.name ?? "" }) };
});

/** An address that no Pod backs: nothing is known of it but its cluster. */
export const addressFacts = memoize(
  (place: ClusterPlace): WorkloadFacts => ({
    labels: withTopologyLabels({}, { cluster: place.cluster, locality: "", nodeName: "", network: networkOf("", {}, place.network) }),
    traits: workloadTraits(NO_LABELS),
    serviceAccount: "",
    tlsMode: "disabled",
    workloadName: "",
    namespace: "",
    cluster: place.cluster,
    network: networkOf("", {}, place.network),
    locality: "",
    nodeName: "",
    hostName: "",
    subdomain: "",
    sources: [],
  }),
);

const NO_LABELS: Labels = {};

/** `region/zone/subzone`, always with both slashes, or "" where the node has none of the three (istio `controller.go` getPodLocality). */
function nodeLocality(labels: Labels | undefined): string {
  if (labels === undefined) return "";
  const region = labels["topology.kubernetes.io/region"] || labels["failure-domain.beta.kubernetes.io/region"] || "";
  const zone = labels["topology.kubernetes.io/zone"] || labels["failure-domain.beta.kubernetes.io/zone"] || "";
  const subzone = labels[SUBZONE_LABEL] ?? "";
  return region === "" && zone === "" && subzone === "" ? "" : `${region}/${zone}/${subzone}`;
}
