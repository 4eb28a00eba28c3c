import { canonicalText } from "#core/lib/canonical.ts";
import { digestOf } from "#core/lib/digest.ts";
import { own } from "#core/lib/own.ts";
import { dialectFeatures } from "./dialect-features.ts";
import type { Facts } from "./facts.ts";
import type { PlacedLayer, Placement, ScopePlacement, VantagePlacement, WorkloadPlacement } from "./placement.ts";
import type { Reads, Rules, Selectors, SidecarRule } from "./rules.ts";
import { matchedLabels, selects } from "./select-labels.ts";
import type { Vantage } from "./vantage.ts";

/** The result of placing a node whose scope nothing was compiled for: which scope it is, so that it can be. */
export interface Unplaced {
  readonly wanted: ScopePlacement;
}

/**
 * Which layers a node is served, in order (DESIGN 4). Pure data in, pure data out: a writer uses it to know what to compile, a front-end to find it.
 * Without the scope's reads only the scope itself is known; the writer learns them by compiling it and places again.
 */
export function place(facts: Facts, rules: Rules): Placement | Unplaced {
  const scope = placeScope(facts, rules);
  const scopeKey = layerKey("scope", scope);
  const reads = rules.scopeReads[scopeKey];
  if (reads === undefined) return { wanted: scope };
  const workload = placeWorkload(facts, rules, scope);
  const layers: PlacedLayer[] = [
    { kind: "scope", key: scopeKey, placement: scope },
    ...rules.generalReads.map((group) => vantageLayer({ reads: group, vantage: vantageOf(facts, group) })),
    ...reads.vantage.map((group) => vantageLayer({ scope, reads: group, vantage: vantageOf(facts, group) })),
    { kind: "workload", key: layerKey("workload", workload), placement: workload },
  ];
  if (reads.bindsOwnAddress || facts.addresses.some((address) => reads.ownAddressListeners.includes(address))) {
    const node = { workload, addresses: facts.addresses };
    layers.push({ kind: "node", key: layerKey("node", node), placement: node });
  }
  return { layers };
}

/** A layer's name: the digest of everything that decides it. */
export function layerKey(kind: PlacedLayer["kind"], placement: PlacedLayer["placement"]): string {
  return `${kind}-${digestOf(canonicalText(placement))}`;
}

function vantageLayer(placement: VantagePlacement): PlacedLayer {
  return { kind: "vantage", key: layerKey("vantage", placement), placement };
}

/** Which scope a node is in: all that a writer needs to compile it and learn what it reads. */
export function placeScope(facts: Facts, rules: Selectors): ScopePlacement {
  const sidecar = facts.type === "sidecar" ? sidecarFor(facts, rules) : undefined;
  const selectors = [
    ...(own(rules.clientSelectors, facts.namespace) ?? []),
    ...rules.sourceSelectors,
    ...(facts.type === "router" ? rules.gatewaySelectors : []),
  ];
  return {
    type: facts.type,
    dialect: facts.dialect,
    namespace: facts.namespace,
    cluster: facts.cluster,
    dnsDomain: facts.dnsDomain,
    ...(sidecar && { sidecar: sidecar.id }),
    labels: matchedLabels(selectors, facts.labels),
    features: facts.features,
    ...(facts.proxyConfig && { proxyConfig: facts.proxyConfig }),
  };
}

/** The namespace's first Sidecar that selects the node, else its default, else the root namespace's (istio `push_context.go` getSidecarScope). */
function sidecarFor(facts: Facts, rules: Selectors): SidecarRule | undefined {
  const inNamespace = own(rules.sidecars, facts.namespace) ?? [];
  const fits = (rule: SidecarRule): boolean => rule.selector === undefined || selects(rule.selector, facts.labels);
  return inNamespace.find(fits) ?? (own(rules.sidecars, rules.rootNamespace) ?? []).find((rule) => rule.selector === undefined);
}

function placeWorkload(facts: Facts, rules: Rules, scope: ScopePlacement): WorkloadPlacement {
  const { pod, workloadEntry } = facts;
  const registered = workloadEntry !== undefined ? "workload-entry" : pod !== undefined ? "pod" : "none";
  return {
    scope,
    policyLabels: matchedLabels(
      [...(own(rules.policySelectors, facts.namespace) ?? []), ...(own(rules.policySelectors, rules.rootNamespace) ?? [])],
      facts.labels,
    ),
    serviceLabels: matchedLabels(own(rules.serviceSelectors, facts.namespace) ?? [], pod?.labels ?? facts.labels),
    containerPorts: pod?.containerPorts ?? facts.podPorts ?? [],
    registered,
    ...(workloadEntry !== undefined && { workloadEntry }),
    targets: [...(registered === "pod" ? (pod?.sliceTargets ?? []) : []), ...facts.targets],
    literals: {
      namespace: facts.statedNamespace,
      canonicalName: facts.labels["service.istio.io/canonical-name"] ?? "",
      canonicalRevision: facts.labels["service.istio.io/canonical-revision"] ?? "",
      meshId: facts.meshId,
      workloadName: facts.workloadName,
    },
    network: facts.network,
    ...(standsApart(facts) && { standsApart: true }),
    ...(speaksMtls(facts) && { speaksMtls: true }),
  };
}

function standsApart({ dialect, features, addresses: [first = ""] }: Facts): boolean {
  if (!dialectFeatures(dialect).sharesHost || features.interception !== "NONE") return false;
  return first.startsWith("127.") && first !== "127.0.0.1";
}

function speaksMtls({ dialect, labels }: Facts): boolean {
  return dialectFeatures(dialect).apiListeners && labels["security.istio.io/tlsMode"] === "istio";
}

/** Where the node stands, restricted to what a group of names reads. */
function vantageOf(facts: Facts, reads: Reads): Vantage {
  return {
    cluster: facts.cluster,
    network: facts.network,
    families: facts.features.families,
    ...(facts.features.networkView && { networkView: facts.features.networkView }),
    ...(facts.features.avoidsTunnels && { avoidsTunnels: true }),
    ...(reads.locality && { locality: facts.locality }),
    ...(reads.nodeName && { nodeName: facts.nodeName }),
    ...(reads.labels.length > 0 && { labels: Object.fromEntries(reads.labels.map((key) => [key, own(facts.labels, key) ?? ""])) }),
  };
}
