import { canonicalText } from "#core/lib/canonical.ts";
import { compareText } from "#core/lib/compare.ts";
import { gathered } from "#core/lib/gathered.ts";
import { groupBy } from "#core/lib/group.ts";
import { memoize } from "#core/lib/memo.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { DestinationRuleIndex, DestinationRuleStore } from "#core/model/destination-rule-index.ts";
import type { Gateway } from "#core/model/gateway.ts";
import type { PeerAuthentication } from "#core/model/peer-authentication.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import type { ClusterRegistry } from "#core/model/resolve/registry/registry.ts";
import type { Sidecar } from "#core/model/sidecar.ts";
import type { VirtualService } from "#core/model/virtual-service.ts";
import type { LabelSet, Selectors, SidecarRule } from "#core/node/rules.ts";

/** The selectors of a mesh, as placement reads them. What scopes read is known only when they were compiled. */
export function selectorsOf(mesh: ResolvedMesh): Selectors {
  return {
    rootNamespace: mesh.config.rootNamespace,
    sidecars: sidecarsByNamespace(mesh.sidecars),
    clientSelectors: clientSelectors(mesh.destinationRules),
    sourceSelectors: sourceSelectors(mesh.virtualServices),
    serviceSelectors: serviceSelectors(...mesh.registries.clusters.map(({ services }) => services)),
    policySelectors: policySelectors(mesh.peerAuthentications),
    gatewaySelectors: gatewaySelectors(mesh.gateways),
  };
}

const clientSelectors = memoize((rules: DestinationRuleIndex) => byNamespace(localRules(rules), (rule) => rule.workloadSelector));
const sourceSelectors = (services: readonly VirtualService[]) => distinctLabels(sourceLabels(services));
const distinctLabels = memoize((labels: readonly LabelSet[]) => distinct(labels));
const policySelectors = memoize((policies: readonly PeerAuthentication[]) => byNamespace(policies, (policy) => policy.selector));
const gatewaySelectors = memoize((gateways: readonly Gateway[]) =>
  distinct(gateways.flatMap(({ selector }) => (isEmpty(selector) ? [] : [selector]))),
);

/** Within a namespace: those with a selector, oldest first, then the oldest without (istio `push_context.go` initSidecarScopes). */
const sidecarsByNamespace = memoize((sidecars: readonly Sidecar[]): Readonly<Record<string, readonly SidecarRule[]>> => {
  const selecting = sidecars.filter((sidecar) => sidecar.workloadSelector !== undefined);
  const general = sidecars.filter((sidecar) => sidecar.workloadSelector === undefined);
  const byName = groupBy([...selecting, ...general], ({ namespace }) => namespace);
  return Object.fromEntries([...byName].map(([namespace, own]) => [namespace, own.map(ruleOf)]));
});

function ruleOf({ namespace, name, workloadSelector }: Sidecar): SidecarRule {
  return { id: `${namespace}/${name}`, ...(workloadSelector && { selector: workloadSelector }) };
}

/** Of every cluster: a workload's targets come from the Services of its own, also where another cluster's Service of that name decides the rest. */
const serviceSelectors = memoize((...clusters: readonly ClusterRegistry["services"][]) => {
  const found = clusters.flatMap((services) =>
    [...services.values()].map(({ key, spec }) => ({ namespace: key.namespace, selector: spec.selector })),
  );
  return byNamespace(found, ({ selector }) => (isEmpty(selector) ? undefined : selector));
});

function localRules({ local }: DestinationRuleIndex): readonly DestinationRule[] {
  return [...local.values()].flatMap(rulesOfStore);
}

function rulesOfStore(store: DestinationRuleStore): readonly DestinationRule[] {
  return [...[...store.exact.values()].flat(), ...store.wildcards.flatMap((wildcard) => wildcard.value)];
}

const sourceLabels = gathered(({ http, tls, tcp }: VirtualService): readonly LabelSet[] =>
  [...http, ...tls, ...tcp].flatMap((route) => route.match.map((match) => match.sourceLabels)).filter((labels) => !isEmpty(labels)),
);

function byNamespace<T extends { readonly namespace: string }>(
  items: readonly T[],
  selector: (item: T) => LabelSet | undefined,
): Readonly<Record<string, readonly LabelSet[]>> {
  const selecting = items.flatMap((item) => {
    const labels = selector(item);
    return labels === undefined ? [] : [{ namespace: item.namespace, labels }];
  });
  const sets = groupBy(selecting, ({ namespace }) => namespace);
  return Object.fromEntries([...sets].map(([namespace, list]) => [namespace, distinct(list.map(({ labels }) => labels))]));
}

/** Each label set once, in a stable order. */
function distinct(sets: readonly LabelSet[]): readonly LabelSet[] {
  const byText = new Map(sets.map((set) => [canonicalText(set), set]));
  return [...byText].sort(([a], [b]) => compareText(a, b)).map(([, set]) => set);
}

function isEmpty(labels: LabelSet): boolean {
  for (const _ in labels) return false;
  return true;
}
