import { movements } from "#core/lib/list-diff.ts";
import { type Inventory, objectsOf } from "#core/sources/inventory.ts";
import type { SourceObject } from "#core/sources/object.ts";

/** Kinds that change all the time in a living mesh, and whose indexes are therefore patched, not rebuilt. */
export const WORKLOAD_KINDS = ["EndpointSlice", "Pod", "WorkloadEntry"] as const;
export type WorkloadKind = (typeof WORKLOAD_KINDS)[number];

/** Objects of one kind that came or went; one that changed does both. */
export interface Moved<K extends WorkloadKind> {
  readonly left: readonly SourceObject<K>[];
  readonly arrived: readonly SourceObject<K>[];
}

export type WorkloadChanges = { readonly [K in WorkloadKind]: Moved<K> };

/** What happened to workloads between two inventories. */
export function workloadChanges(before: Inventory, after: Inventory): WorkloadChanges {
  return {
    EndpointSlice: moved(before, after, "EndpointSlice"),
    Pod: moved(before, after, "Pod"),
    WorkloadEntry: moved(before, after, "WorkloadEntry"),
  };
}

function moved<K extends WorkloadKind>(before: Inventory, after: Inventory, kind: K): Moved<K> {
  const { left, arrived } = movements(objectsOf(before, kind), objectsOf(after, kind));
  return { left: [...left], arrived: [...arrived] };
}

/** Part of the changes: those that a filter lets through. */
export function filterMoved<K extends WorkloadKind>({ left, arrived }: Moved<K>, keep: (object: SourceObject<K>) => boolean): Moved<K> {
  return { left: left.filter(keep), arrived: arrived.filter(keep) };
}
