import { canonicalText } from "#core/lib/canonical.ts";
import { compareText } from "#core/lib/compare.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { DestinationRuleStore } from "#core/model/destination-rule-index.ts";
import type { Mesh } from "#core/model/mesh.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import type { VirtualService } from "#core/model/virtual-service.ts";
import type { LabelSet, Selectors, SidecarRule } from "#core/node/rules.ts";

/** The selectors of a mesh, as placement reads them. What scopes read is known only when they were compiled. */
export function selectorsOf(mesh: ResolvedMesh): Selectors {
  return {
    rootNamespace: mesh.config.rootNamespace,
    sidecars: sidecarsByNamespace(mesh),
    clientSelectors: byNamespace(localRules(mesh), (rule) => rule.workloadSelector),
    sourceSelectors: distinct(mesh.virtualServices.flatMap(sourceLabels)),
    serviceSelectors: byNamespace(kubeSelectors(mesh), ({ selector }) => (isEmpty(selector) ? undefined : selector)),
    policySelectors: byNamespace(mesh.peerAuthentications, (policy) => policy.selector),
    gatewaySelectors: distinct(mesh.gateways.flatMap(({ selector }) => (isEmpty(selector) ? [] : [selector]))),
  };
}

/** Within a namespace: those with a selector, oldest first, then the oldest without (istio `push_context.go` initSidecarScopes). */
function sidecarsByNamespace(mesh: Mesh): Readonly<Record<string, readonly SidecarRule[]>> {
  const rules: Record<string, SidecarRule[]> = {};
  const selecting = mesh.sidecars.filter((sidecar) => sidecar.workloadSelector !== undefined);
  const general = mesh.sidecars.filter((sidecar) => sidecar.workloadSelector === undefined);
  for (const { namespace, name, workloadSelector } of [...selecting, ...general]) {
    rules[namespace] ??= [];
    rules[namespace].push({ id: `${namespace}/${name}`, ...(workloadSelector && { selector: workloadSelector }) });
  }
  return rules;
}

/** Of every cluster: a workload's targets come from the Services of its own, also where another cluster's Service of that name decides the rest. */
function kubeSelectors({ registries }: ResolvedMesh): readonly { readonly namespace: string; readonly selector: LabelSet }[] {
  return registries.clusters.flatMap(({ services }) =>
    [...services.values()].map(({ key, spec }) => ({ namespace: key.namespace, selector: spec.selector })),
  );
}

function localRules(mesh: Mesh): readonly DestinationRule[] {
  return [...mesh.destinationRules.local.values()].flatMap(rulesOfStore);
}

function rulesOfStore(store: DestinationRuleStore): readonly DestinationRule[] {
  return [...[...store.exact.values()].flat(), ...store.wildcards.flatMap((wildcard) => wildcard.value)];
}

function sourceLabels(service: VirtualService): readonly LabelSet[] {
  const routes = [...service.http, ...service.tls, ...service.tcp];
  return routes.flatMap((route) => route.match.map((match) => match.sourceLabels)).filter((labels) => !isEmpty(labels));
}

function byNamespace<T extends { readonly namespace: string }>(
  items: readonly T[],
  selector: (item: T) => LabelSet | undefined,
): Readonly<Record<string, readonly LabelSet[]>> {
  const sets: Record<string, LabelSet[]> = {};
  for (const item of items) {
    const labels = selector(item);
    if (labels === undefined) continue;
    sets[item.namespace] ??= [];
    sets[item.namespace]?.push(labels);
  }
  return Object.fromEntries(Object.entries(sets).map(([namespace, list]) => [namespace, distinct(list)]));
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
