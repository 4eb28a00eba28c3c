import type { Resource } from "#core/edition/resource.ts";
import { memoize } from "#core/lib/memo.ts";
import { serviceKey } from "#core/model/mesh.ts";
import type { Scope, ScopedService } from "#core/model/scope.ts";
import type { Service } from "#core/model/service.ts";
import type { Reads } from "#core/node/rules.ts";
import {
  type InlineCluster,
  inlineCluster,
  inlineClustersOf,
  inlineReads,
  inlineSniDnatClustersOf,
} from "#core/translate/clusters/inline-clusters.ts";
import type { ClusterSettings } from "#core/translate/clusters/settings.ts";
import type { EndpointSettings } from "#core/translate/endpoints/specs.ts";
import { assignmentReads, type EndpointView, loadAssignment } from "#core/translate/endpoints.ts";
import { nameTable, readsEndpoints } from "#core/translate/name-table.ts";
import type { AddressView } from "#core/translate/service-address.ts";
import { type Assignment, type Assignments, ownAssignments } from "./assignments.ts";
import { groupByReads } from "./reads.ts";

/** One resource of a vantage layer before it is known from where endpoints are seen. */
export type VantageItem =
  | Assignment
  | { readonly kind: "cluster"; readonly cluster: InlineCluster; readonly settings: ClusterSettings }
  | { readonly kind: "names"; readonly scope: Scope; readonly addresses: AddressView };

const NOTHING_MORE: Reads = { locality: false, nodeName: false, labels: [] };

/** What an item looks at of a client beside its cluster, network and address families. */
function itemReads(item: VantageItem): Reads {
  if (item.kind === "names") return NOTHING_MORE;
  return item.kind === "assignment" ? assignmentReads(item.spec) : inlineReads(item.cluster);
}

/** Items by what they read; the same groups for the same items. */
export const itemGroups = memoize((items: readonly VantageItem[]) => groupByReads(items, itemReads));

/** The resource as seen from a place; undefined where nothing is to be seen. */
export function makeItem(item: VantageItem, view: EndpointView): Resource | undefined {
  switch (item.kind) {
    case "assignment":
      return loadAssignment(item.spec, view.endpointsOf(item.service), view);
    case "cluster":
      return inlineCluster(item.cluster, item.settings, view.endpointsOf(item.cluster.scoped.service), view);
    case "names":
      return nameTable(item.scope, { ...item.addresses, network: view.vantage.network, endpointsOf: view.endpointsOf });
  }
}

/** Key of the service whose endpoints an item takes; undefined for those that take many services'. */
export function itemService(item: VantageItem): string | undefined {
  if (item.kind === "names") return undefined;
  const service: Service = item.kind === "assignment" ? item.service : item.cluster.scoped.service;
  return serviceKey(service);
}

/** What a scope's items are found from. */
export interface ItemSource {
  readonly scope: Scope;
  readonly clusters: ClusterSettings;
  readonly endpoints: EndpointSettings;
  readonly addresses: AddressView;
  /** Does the proxy resolve names itself? */
  readonly dnsCapture: boolean;
  /** Does it take clusters that hold their endpoints? */
  readonly inline: boolean;
}

/** What only this scope's vantage layers hold: assignments unlike the general ones, clusters that hold their endpoints, the name table. */
export function ownItems({ scope, clusters, endpoints, addresses, dnsCapture, inline }: ItemSource, general: Assignments): readonly VantageItem[] {
  const names = dnsCapture && readsEndpoints(scope) ? nameItems(scope, addresses) : NO_ITEMS;
  return joinItems(ownAssignments(scope.services, endpoints, general), inline ? inlineItems(scope.services, clusters, endpoints) : NO_ITEMS, names);
}

const NO_ITEMS: readonly VantageItem[] = [];

const nameItems = memoize((scope: Scope, addresses: AddressView): readonly VantageItem[] => [{ kind: "names", scope, addresses }]);

const joinItems = memoize((assignments: readonly Assignment[], ...others: readonly (readonly VantageItem[])[]): readonly VantageItem[] => [
  ...assignments,
  ...others.flat(),
]);

const inlineItems = memoize((services: readonly ScopedService[], settings: ClusterSettings, endpoints: EndpointSettings): readonly VantageItem[] =>
  services.flatMap((scoped) => {
    const byServerName = endpoints.serverNames ? inlineSniDnatClustersOf(scoped, settings, endpoints) : [];
    return [...inlineClustersOf(scoped, settings, endpoints), ...byServerName].map(
      (cluster): VantageItem => ({ kind: "cluster", cluster, settings }),
    );
  }),
);

/** Every assignment as an item; the same list for the same assignments. */
export const assignmentItems = memoize((assignments: Assignments): readonly VantageItem[] => [...assignments.values()]);
