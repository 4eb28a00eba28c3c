import type { Labels } from "#core/lib/labels.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { Service } from "../../service.ts";

const ANNOTATION = "networking.istio.io/traffic-distribution";

/**
 * Which endpoints a service prefers: its own field, else its annotation, else its namespace's; an annotation that is not understood ends the search
 * (istio `pilot/pkg/model/service.go` GetTrafficDistribution).
 */
export function trafficDistribution(field: string, annotations: Labels, namespaceAnnotations: Labels): Service["trafficDistribution"] {
  const own = BY_FIELD.get(field);
  if (own !== undefined) return own;
  for (const given of [annotations[ANNOTATION], namespaceAnnotations[ANNOTATION]]) {
    if (given) return BY_ANNOTATION.get(given.toLowerCase()) ?? "any";
  }
  return "any";
}

/** Who decides that beside the service itself: its namespace, where it is asked and answers. */
export function distributionSources(field: string, annotations: Labels, home: SourceObject<"Namespace"> | undefined): readonly ObjectKey[] {
  const asked = BY_FIELD.get(field) === undefined && !annotations[ANNOTATION];
  return asked && home?.annotations[ANNOTATION] ? [home.key] : [];
}

const BY_FIELD: ReadonlyMap<string, Service["trafficDistribution"]> = new Map([
  ["PreferClose", "same-zone"],
  ["PreferSameZone", "same-zone"],
  ["PreferSameNode", "same-node"],
]);
const BY_ANNOTATION: typeof BY_FIELD = new Map([...BY_FIELD].map(([name, value]) => [name.toLowerCase(), value]));
