import type { Labels } from "#core/lib/labels.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { KnownWorkload, Workloads } from "./workloads.ts";

/** Of objects that select workloads of their namespace: the names of those that select a workload which a given one selects too, sorted. */
export function overlaps<T extends SourceObject>(
  objects: readonly T[],
  labelsOf: (object: T) => Labels,
  workloads: Workloads,
): (object: T) => readonly string[] {
  const selecting = new Map<KnownWorkload, T[]>();
  const selectedBy = new Map(objects.map((object) => [object, workloads.find(labelsOf(object), object.key.namespace)]));
  for (const [object, selected] of selectedBy) {
    for (const workload of selected) selecting.set(workload, [...(selecting.get(workload) ?? []), object]);
  }
  return (object) => {
    const all = new Set((selectedBy.get(object) ?? []).flatMap((workload) => selecting.get(workload) ?? []));
    all.delete(object);
    return [...all].map(({ key }) => key.name).sort();
  };
}
