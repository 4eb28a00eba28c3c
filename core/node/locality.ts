export interface Locality {
  readonly region: string;
  readonly zone: string;
  readonly subzone: string;
}

const REGION = "topology.kubernetes.io/region";
const ZONE = "topology.kubernetes.io/zone";
const SUBZONE = "topology.istio.io/subzone";

/** `region/zone/subzone`, cut at the first empty part (istio `pilot/pkg/networking/util` LocalityToString). */
export function formatLocality(locality: Locality): string {
  if (locality.zone === "") return locality.region;
  return locality.subzone === "" ? `${locality.region}/${locality.zone}` : `${locality.region}/${locality.zone}/${locality.subzone}`;
}

export function parseLocality(text: string): Locality {
  const [region = "", zone = "", subzone = ""] = text.split("/");
  return { region, zone, subzone };
}

/**
 * Where a proxy stands: topology labels beat the locality label, which beats what the node says of itself
 * (istio `pilot/pkg/xds/ads.go` setTopologyLabels, localityFromProxyLabels).
 */
export function localityOf(labels: Readonly<Record<string, string>>, announced: Locality): Locality {
  if (REGION in labels || ZONE in labels || SUBZONE in labels) {
    return { region: labels[REGION] ?? "", zone: labels[ZONE] ?? "", subzone: labels[SUBZONE] ?? "" };
  }
  const label = labels["topology.istio.io/locality"] ?? labels["istio-locality"] ?? "";
  return label === "" ? announced : parseLocality(label);
}

/** Adds the topology labels that selectors and failover priorities may name (istio `labelutil.AugmentLabels`). */
export function augmentLabels(
  labels: Readonly<Record<string, string>>,
  place: { readonly cluster: string; readonly locality: Locality; readonly nodeName: string; readonly network: string },
): Readonly<Record<string, string>> {
  const { cluster, locality, nodeName, network } = place;
  const added: Record<string, string> = {};
  if (locality.region !== "") added[REGION] = locality.region;
  if (locality.zone !== "") added[ZONE] = locality.zone;
  if (locality.subzone !== "") added[SUBZONE] = locality.subzone;
  if (cluster !== "") added["topology.istio.io/cluster"] = cluster;
  if (nodeName !== "") added["kubernetes.io/hostname"] = nodeName;
  if (network !== "" && !labels["topology.istio.io/network"]) added["topology.istio.io/network"] = network;
  return { ...labels, ...added };
}
