import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { isWildcard } from "#core/lib/hostname.ts";
import { isSubset, type Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import { CLUSTER_LABEL, HOSTNAME_LABEL, NETWORK_LABEL, REGION_LABEL, SUBZONE_LABEL, ZONE_LABEL } from "#core/lib/topology.ts";
import type { Service } from "#core/model/service.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { diagnose, selectorText } from "./diagnose.ts";
import type { KnownServices } from "./known-services.ts";
import type { Workloads } from "./workloads.ts";

type RuleObject = SourceObject<"DestinationRule">;
type EntryObject = SourceObject<"ServiceEntry">;

/** What may fall into subsets. */
export interface Backends {
  readonly workloads: Workloads;
  /** A source lists endpoints: those that no workload explains have no labels. */
  readonly sliced: boolean;
  /** Labels of the endpoints that ServiceEntries list for a host. */
  readonly endpoints: (host: string) => readonly Labels[];
}

/** The same value for the same parts. */
export const backendsOf = memoize(
  (workloads: Workloads, entries: readonly EntryObject[], { sliced }: { readonly sliced: boolean }): Backends => ({
    workloads,
    sliced,
    endpoints: endpointLabels(entries),
  }),
);

/** Rules for hosts that no service has, and subsets that nothing falls into (istio `analyzers/destinationrule/subset.go`). */
export const checkRuleSubsets = memoize((rules: readonly RuleObject[], services: KnownServices, backends: Backends): readonly Diagnostic[] =>
  rules.flatMap((rule) => checkRule(rule, services, backends)),
);

const checkRule = memoize((rule: RuleObject, services: KnownServices, backends: Backends): readonly Diagnostic[] => {
  const { key, spec } = rule;
  const found = services.find(spec.host, { namespace: key.namespace, exportTo: spec.exportTo });
  if (found.length === 0 && !(isWildcard(spec.host) && services.covers(spec.host, key.namespace))) {
    const message = `no Service or ServiceEntry that it can see has the host "${spec.host}": it has no effect`;
    return diagnose(rule, { severity: "warning", code: "IST0174", field: "spec.host", message });
  }
  return spec.subsets.flatMap(({ name, labels }, index) => {
    if (isFilled(labels, found, backends)) return [];
    const message = `subset "${name}" of "${spec.host}" selects ${selectorText(labels) || "everything"}, but no workload has that: requests to it end with 503`;
    return diagnose(rule, { severity: "error", code: "IST0173", field: `spec.subsets[${index}].labels`, message });
  });
});

/**
 * Does anything fall into a subset? Any workload that has its labels will do, also one of another service, as in Istio's analysis; endpoints that a
 * ServiceEntry lists itself count as well. Where neither workloads nor endpoints are known, nothing can be said.
 */
function isFilled(labels: Labels, services: readonly Service[], { workloads, sliced, endpoints }: Backends): boolean {
  const wanted = withoutTopology(labels);
  const [service] = services;
  if (services.some(({ host }) => endpoints(host).some((known) => isSubset(wanted, known)))) return true;
  if (workloads.unknown && !sliced) return service === undefined || endpoints(service.host).length === 0;
  const selector = service?.registry === "External" ? service.selector : {};
  return workloads.has({ ...selector, ...wanted });
}

const TOPOLOGY: ReadonlySet<string> = new Set([REGION_LABEL, ZONE_LABEL, SUBZONE_LABEL, CLUSTER_LABEL, NETWORK_LABEL, HOSTNAME_LABEL]);

/** Labels that a workload has from its place are taken as given: its place may be known only once it runs. */
function withoutTopology(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([key, value]) => value === "" || !TOPOLOGY.has(key)));
}

const NONE: readonly Labels[] = [];

function endpointLabels(entries: readonly EntryObject[]): Backends["endpoints"] {
  const byHost = new Map<string, Labels[]>();
  for (const { spec } of entries) {
    for (const host of spec.entry.hosts) {
      const known = byHost.get(host) ?? [];
      byHost.set(host, known);
      known.push(...spec.entry.endpoints.map(({ labels }) => labels));
    }
  }
  return (host) => byHost.get(host) ?? NONE;
}
