import { REGION_LABEL, SUBZONE_LABEL, ZONE_LABEL } from "#core/lib/topology.ts";

/** Where something stands; each part may be "". */
export interface Locality {
  readonly region: string;
  readonly zone: string;
  readonly subzone: string;
}

/** `region/zone/subzone`, cut at the first empty part (istio `pilot/pkg/networking/util` LocalityToString). */
export function formatLocality(locality: Locality): string {
  if (locality.zone === "") return locality.region;
  return locality.subzone === "" ? `${locality.region}/${locality.zone}` : `${locality.region}/${locality.zone}/${locality.subzone}`;
}

/** All three parts, empty ones included, as Istio's registry joins them for a Pod. */
export function joinLocality({ region, zone, subzone }: Locality): string {
  return `${region}/${zone}/${subzone}`;
}

/** The inverse of both; missing parts are "". */
export function parseLocality(text: string): Locality {
  const [region = "", zone = "", subzone = ""] = text.split("/");
  return { region, subzone, zone };
}

/**
 * Where a proxy stands: topology labels beat the locality label, which beats what the node says of itself
 * (istio `pilot/pkg/xds/ads.go` setTopologyLabels, localityFromProxyLabels). Dots of the label stay dots here, unlike where endpoints are read.
 */
export function localityOf(labels: Readonly<Record<string, string>>, announced: Locality): Locality {
  if (REGION_LABEL in labels || ZONE_LABEL in labels || SUBZONE_LABEL in labels) {
    return { region: labels[REGION_LABEL] ?? "", zone: labels[ZONE_LABEL] ?? "", subzone: labels[SUBZONE_LABEL] ?? "" };
  }
  const label = labels["topology.istio.io/locality"] ?? labels["istio-locality"] ?? "";
  return label === "" ? announced : parseLocality(label);
}
