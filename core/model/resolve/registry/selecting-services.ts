import { compareText } from "#core/lib/compare.ts";
import { isSelected, type Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";

type KubeServices = readonly SourceObject<"Service">[];

/**
 * The Services of one namespace that select a workload with these labels, in order. Each Service stands under one label that it asks for, so that a
 * workload looks at those alone whose label it has, however many there are.
 */
export function selectingServices(services: KubeServices, labels: Labels): KubeServices {
  const index = byOneLabel(services);
  const found = Object.entries(labels).flatMap(([key, value]) => index.get(`${key}=${value}`) ?? []);
  const fitting = found.filter(({ spec }) => isSelected(spec.selector, labels));
  return fitting.length < 2 ? fitting : fitting.sort((a, b) => compareText(a.key.name, b.key.name));
}

const byOneLabel = memoize((services: KubeServices): ReadonlyMap<string, SourceObject<"Service">[]> => {
  const index = new Map<string, SourceObject<"Service">[]>();
  for (const service of services) {
    const [first] = Object.entries(service.spec.selector);
    if (first === undefined) continue;
    const label = `${first[0]}=${first[1]}`;
    const known = index.get(label);
    if (known === undefined) index.set(label, [service]);
    else known.push(service);
  }
  return index;
});
