import { mostSpecific } from "#core/lib/host-index.ts";
import { keyed } from "#core/lib/keyed.ts";
import { isSubset, type Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { lookUp } from "#core/lib/trie.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { DestinationRuleIndex } from "#core/model/destination-rule-index.ts";
import { type Mesh, serviceKey } from "#core/model/mesh.ts";
import type { PeerAuthentication } from "#core/model/peer-authentication.ts";
import type { ScopedService, ServiceFacts } from "#core/model/scope.ts";
import type { Service } from "#core/model/service.ts";
import { chooseRule, rulesFor, sourcesOfRules } from "../rules/find-rule.ts";
import { type NamespaceMtls, namespaceMtls } from "../rules/peer-authentications.ts";
import type { ImportedService } from "./imported-services.ts";

/** Who looks at services, with what else of the mesh it sees. */
export interface ServiceView {
  readonly mesh: Pick<Mesh, "config" | "destinationRules" | "peerAuthentications" | "facts">;
  readonly namespace: string;
  readonly labels: Labels;
}

/**
 * Adds to each service what is in force for the client: rule, mTLS mode, facts of its endpoints. Clients that see alike get the same values,
 * and the same list where everything is alike.
 */
export function scopedServices(services: readonly ImportedService[], view: ServiceView): readonly ScopedService[] {
  const { config, destinationRules, peerAuthentications, facts } = view.mesh;
  const lists = listsOf(services, destinationRules, peerAuthentications, facts, config);
  const general = lists("", () => services.map((entry) => scopedService(entry, { ...view, ...ANYBODY })));
  if (!seesOwnRules(view)) return general;
  return lists(`${view.namespace} ${ruleVerdicts(destinationRules, view)}`, () => services.map((entry, at) => ownScoped(entry, view, general[at])));
}

const listsOf = memoize((..._inputs: readonly object[]) => keyed<readonly ScopedService[]>());

/** A client in a namespace that no rule is written in or exported to by name. */
const ANYBODY = { namespace: "", labels: {} };

/** Everybody else finds the rules that every namespace finds. */
function seesOwnRules({ mesh: { config, destinationRules: index }, namespace }: ServiceView): boolean {
  return namespace === config.rootNamespace || index.local.has(namespace) || index.named.has(namespace);
}

/** Where the client's namespace has no rule for a host, and nothing is exported to it alone, it sees what everybody sees. */
function ownScoped(entry: ImportedService, view: ServiceView, general: ScopedService | undefined): ScopedService {
  const { config, destinationRules: index } = view.mesh;
  const own = index.local.get(view.namespace);
  const sharesElsewhere = view.namespace !== config.rootNamespace && !index.named.has(view.namespace);
  if (general !== undefined && sharesElsewhere && (own === undefined || mostSpecific(own, entry.service.host) === undefined)) return general;
  return scopedService(entry, view);
}

/** Which of the workload selectors that could matter to the client fit it, as text. */
export function ruleVerdicts(index: DestinationRuleIndex, { namespace, labels }: { readonly namespace: string; readonly labels: Labels }): string {
  return selectorsOf(index)(namespace)
    .map((selector) => (isSubset(selector, labels) ? "1" : "0"))
    .join("");
}

const selectorsOf = memoize((index: DestinationRuleIndex) => {
  const remembered = keyed<readonly Labels[]>();
  return (namespace: string) =>
    remembered(namespace, () => {
      const stores = [index.local.get(namespace), index.rootPrivate];
      const rules = stores.flatMap((store) =>
        store === undefined ? [] : [...store.exact.values(), ...store.wildcards.map(({ value }) => value)].flat(),
      );
      return rules.flatMap((rule) => (rule.workloadSelector === undefined ? [] : [rule.workloadSelector]));
    });
});

function scopedService({ service, importedBy }: ImportedService, view: ServiceView): ScopedService {
  const { config, destinationRules, peerAuthentications, facts } = view.mesh;
  const { rules, weighed } = rulesFor(destinationRules, { client: view.namespace, service, root: config.rootNamespace });
  const rule = rules.length === 0 ? undefined : chooseRule(rules, view.namespace, view.labels);
  const mtls = mtlsByNamespace(peerAuthentications, config)(service.namespace);
  return combine(service, lookUp(facts, serviceKey(service)) ?? NO_FACTS, rule, sourcesOfRules(...weighed), mtls, importedBy);
}

const NO_FACTS: ServiceFacts = { identities: [], sources: [], ports: {} };

const mtlsByNamespace = memoize((policies: readonly PeerAuthentication[], { rootNamespace }: Mesh["config"]) => {
  const find = namespaceMtls(policies, rootNamespace);
  const remembered = keyed<NamespaceMtls>();
  return (namespace: string) => remembered(namespace, () => find(namespace));
});

/** What one is made of. The service and its facts come first: they tell most apart. */
type Parts = readonly [
  service: Service,
  derived: ServiceFacts,
  rule: DestinationRule | undefined,
  ruleSources: readonly ObjectKey[],
  mtls: NamespaceMtls,
  importedBy: readonly ObjectKey[],
];

const combine = memoize((...[service, derived, rule, ruleSources, mtls, importedBy]: Parts): ScopedService => {
  return { service, ...(rule === undefined ? {} : { rule }), mtlsMode: mtls.mode, mtlsSources: mtls.sources, ruleSources, derived, importedBy };
});
