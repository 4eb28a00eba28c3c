import { compareText } from "#core/lib/compare.ts";
import { groupBy } from "#core/lib/group.ts";
import type { Labels } from "#core/lib/labels.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { serviceKey } from "../../mesh.ts";
import type { Service } from "../../service.ts";
import type { Namespaces } from "../registry/namespaces.ts";
import { withAliases } from "./aliases.ts";
import { type EntryContext, entryServices } from "./entry-services.ts";
import { kubeService, mergeClusters } from "./kube-services.ts";
import { withRivals } from "./rivals.ts";

/** All services of the mesh in Istio's order, and what their endpoints are found by. */
export interface ServiceRecords {
  readonly services: readonly Service[];
  /** In milliseconds since the epoch; ages order things and are no part of a service. */
  readonly ageOf: (service: Service) => number;
  /** Services of one host and namespace, in order. */
  readonly byKey: ReadonlyMap<string, readonly Service[]>;
  /** The Kubernetes Service behind a key, as `namespace/name`. */
  readonly kubeNames: ReadonlyMap<string, string>;
  /** ServiceEntries that claim a key, oldest first, each with how often it does (once an address). */
  readonly claims: ReadonlyMap<string, readonly EntryClaim[]>;
  /** By namespace: the services of ServiceEntries that select workloads, with the labels that they ask for. */
  readonly selectingEntries: ReadonlyMap<string, readonly { readonly key: string; readonly labels: Labels }[]>;
}

export interface EntryClaim {
  readonly entry: SourceObject<"ServiceEntry">;
  readonly host: string;
  readonly addresses: number;
}

interface Aged {
  readonly service: Service;
  readonly created: number;
}

/**
 * Orders services by age, then name, then namespace (istio `push_context.go` SortServicesByCreationTime). Where Istio leaves equally old services of one
 * name to chance, ServiceEntries go by their own name and the order of their addresses.
 */
export function serviceRecords(
  services: readonly (readonly [SourceObject<"Service">, Namespaces])[],
  entries: readonly SourceObject<"ServiceEntry">[],
  context: EntryContext,
): ServiceRecords {
  const { config } = context;
  const created = new Map(services.toReversed().map(([object, where]) => [kubeService(object, config, where).host, object.created]));
  const kube = mergeClusters(services.map(([object, where]) => kubeService(object, config, where)));
  const external = entries.flatMap((entry) => entryServices(entry, context).map((service): Aged => ({ service, created: entry.created })));
  const aged: readonly Aged[] = [...kube.map((service): Aged => ({ service, created: created.get(service.host) ?? 0 })), ...external];
  const sorted = aged.toSorted(compareServices);
  const all = withRivals(withAliases(sorted.map(({ service }) => service)));
  const ages = new Map(all.map((service, index) => [service, sorted[index]?.created ?? 0]));
  const claims = claimsOf(entries, context);
  return {
    services: all,
    ageOf: (service) => ages.get(service) ?? 0,
    byKey: groupBy(all, serviceKey),
    kubeNames: new Map(kube.map((service) => [serviceKey(service), `${service.namespace}/${service.name}`])),
    claims,
    selectingEntries: selectingEntries(claims),
  };
}

function compareServices(a: Aged, b: Aged): number {
  return (
    a.created - b.created ||
    compareText(a.service.name, b.service.name) ||
    compareText(a.service.namespace, b.service.namespace) ||
    compareText(a.service.registry, b.service.registry) * -1 ||
    compareText(a.service.objectName, b.service.objectName)
  );
}

function selectingEntries(claims: ReadonlyMap<string, readonly EntryClaim[]>): ServiceRecords["selectingEntries"] {
  const selecting = [...claims].flatMap(([key, list]) =>
    list.flatMap(({ entry }) => {
      const labels = entry.spec.entry.workloadSelector?.labels;
      return labels === undefined ? [] : [{ key, labels, namespace: entry.key.namespace }];
    }),
  );
  return groupBy(selecting, ({ namespace }) => namespace);
}

/** Istio `serviceentry/controller.go` sortServicesByCreationTime. */
function claimsOf(entries: readonly SourceObject<"ServiceEntry">[], context: EntryContext): Map<string, EntryClaim[]> {
  const claims = new Map<string, EntryClaim[]>();
  for (const entry of entries.toSorted((a, b) => a.created - b.created || compareText(a.key.name, b.key.name))) {
    for (const [key, services] of groupBy(entryServices(entry, context), serviceKey)) {
      const claim = { entry, host: services[0]?.host ?? "", addresses: services.length };
      const known = claims.get(key);
      if (known === undefined) claims.set(key, [claim]);
      else known.push(claim);
    }
  }
  return claims;
}
