import { compareText } from "#core/lib/compare.ts";
import { isSelected, type Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import { own } from "#core/lib/own.ts";
import type { SourceObject } from "#core/sources/object.ts";

type KubeServices = readonly SourceObject<"Service">[];

/**
 * The Services of one namespace that select a workload with these labels, in order. Each Service stands under one label that it asks for, so that a
 * workload looks at those alone whose label it has, however many there are.
 */
export function selectingServices(services: KubeServices, labels: Labels): KubeServices {
  const fitting: SourceObject<"Service">[] = [];
  for (const [key, byValue] of byOneLabel(services)) {
    for (const service of byValue.get(own(labels, key) ?? "") ?? []) if (isSelected(service.spec.selector, labels)) fitting.push(service);
  }
  return fitting.length < 2 ? fitting : fitting.sort((a, b) => compareText(a.key.name, b.key.name));
}

/** By the key of the label, of which there are few, then by its value. */
const byOneLabel = memoize((services: KubeServices): ReadonlyMap<string, ReadonlyMap<string, KubeServices>> => {
  const index = new Map<string, Map<string, SourceObject<"Service">[]>>();
  for (const service of services) {
    const [first] = Object.entries(service.spec.selector);
    if (first === undefined) continue;
    const [key, value] = first;
    const byValue = index.get(key) ?? new Map<string, SourceObject<"Service">[]>();
    const known = byValue.get(value);
    if (known === undefined) byValue.set(value, [service]);
    else known.push(service);
    index.set(key, byValue);
  }
  return index;
});
