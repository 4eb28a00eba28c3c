import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { gathered } from "#core/lib/gathered.ts";
import { expandHost, isSubsetOf, isWildcard } from "#core/lib/hostname.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { destinationsOf } from "./destinations.ts";
import { diagnose } from "./diagnose.ts";

/** Subsets of destinations that no DestinationRule defines (istio `analyzers/virtualservice/destinationrules.go`). */
export function checkDestinationSubsets(
  objects: readonly SourceObject<"VirtualService">[],
  rules: readonly SourceObject<"DestinationRule">[],
  config: MeshConfig,
): readonly Diagnostic[] {
  return checkObjects(objects, subsetsOf(rules, config));
}

/** Is there a rule for the host that has the subset? */
type KnownSubsets = (host: string, subset: string, namespace: string) => boolean;

/** Also rules for wildcards count, which Istio's analysis passes over although its proxies don't. */
const subsetsOf = memoize((rules: readonly SourceObject<"DestinationRule">[], config: MeshConfig): KnownSubsets => {
  const exact = new Set<string>();
  const wildcards: { readonly host: string; readonly names: ReadonlySet<string> }[] = [];
  for (const { key, spec } of rules) {
    const host = expandHost(spec.host, key.namespace, config.domainSuffix);
    if (isWildcard(host)) wildcards.push({ host, names: new Set(spec.subsets.map(({ name }) => name)) });
    else for (const { name } of spec.subsets) exact.add(`${host} ${name}`);
  }
  return (host, subset, namespace) => {
    const full = expandHost(host, namespace, config.domainSuffix);
    return exact.has(`${full} ${subset}`) || wildcards.some((rule) => rule.names.has(subset) && isSubsetOf(full, rule.host));
  };
});

const checkObjects = gathered((object: SourceObject<"VirtualService">, isKnown: KnownSubsets): readonly Diagnostic[] =>
  destinationsOf(object).flatMap(({ destination: { host, subset }, path, mirror }) => {
    if (subset === "" || isKnown(host, subset, object.key.namespace)) return [];
    const what = mirror ? "mirrors to" : "sends to";
    const message = `${what} subset "${subset}" of "${host}", which no DestinationRule defines: requests end with 503; define it, or drop it here`;
    return diagnose(object, { severity: "error", code: "IST0101", field: `${path}.host`, message });
  }),
);
