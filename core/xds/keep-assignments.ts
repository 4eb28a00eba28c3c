import type { Entry, View } from "#core/edition/view.ts";
import { goneClusters } from "./keep.ts";
import { difference, EMPTY_ASSIGNMENT, hasStrangers, type Item, isSame, neededEndpoints, type Offer, patch, UNKNOWN_NEEDS } from "./offer.ts";
import type { Channel, Session } from "./session.ts";

/** Load assignments with those that outlive the edition's. */
export interface KeptAssignments {
  readonly offer: Offer;
  /** Names that are left as the client brought them along: nothing is known of them but that. */
  readonly untouched: readonly string[];
}

/**
 * Keeps what the edition no longer assigns. While the client has a cluster that is dropped or about to be, its endpoints stay: the edition's if it has them for
 * others, else the last that were not absent. Once the cluster is gone, nothing more is said of its endpoints: the client drops them by itself.
 */
export function keepAssignments(session: Session, base: Offer): KeptAssignments {
  const { clusters, endpoints } = session.channels;
  const { view } = session;
  if (clusters === undefined || endpoints === undefined || view === undefined) return { offer: base, untouched: [] };
  const gone = goneClusters(clusters, view);
  if (gone.length === 0 && isSame(endpoints.offered, base)) return { offer: base, untouched: [] };
  const kept = new Map<string, Entry>();
  for (const { name, entry } of difference(base, endpoints.offered).changed) {
    if (isUnassigned(base, view, name) && (!endpoints.owed.names.has(name) || isStranger(entry, clusters))) kept.set(name, entry);
  }
  for (const name of gone.flatMap(({ entry }) => entry.needs.endpoints)) {
    const entry = view.get("endpoints", name) ?? session.assignments.get(name);
    if (entry !== undefined && base.entries.get(name) === EMPTY_ASSIGNMENT) kept.set(name, entry);
  }
  const items = [...kept].map(([name, entry]): Item => ({ name, entry }));
  return { offer: patch(base, items, []), untouched: items.filter(({ entry }) => entry.needs === UNKNOWN_NEEDS).map(({ name }) => name) };
}

function isUnassigned(base: Offer, view: View, name: string): boolean {
  return base.entries.get(name) === EMPTY_ASSIGNMENT && !neededEndpoints(view).has(name);
}

/** Endpoints that came along with clusters of which nothing is known either, as long as those stay. */
function isStranger(entry: Entry, clusters: Channel): boolean {
  return entry.needs === UNKNOWN_NEEDS && hasStrangers(clusters.offered);
}

/** Last load assignments of the clusters that `view` has no more: from the edition before it, or from those that the client may come from. */
export function lastAssignments(session: Session, view: View): ReadonlyMap<string, Entry> {
  const { clusters } = session.channels;
  const gone = clusters === undefined ? [] : goneClusters(clusters, view);
  if (gone.length === 0) return NONE;
  const last = new Map<string, Entry>();
  for (const name of gone.flatMap(({ entry }) => entry.needs.endpoints)) {
    const entry = firstAssignment([session.view, ...session.recent], name) ?? session.assignments.get(name);
    if (entry !== undefined) last.set(name, entry);
  }
  return last;
}

const NONE: ReadonlyMap<string, Entry> = new Map();

function firstAssignment(views: readonly (View | undefined)[], name: string): Entry | undefined {
  for (const view of views) {
    const entry = view?.get("endpoints", name);
    if (entry !== undefined) return entry;
  }
  return undefined;
}
