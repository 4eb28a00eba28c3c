import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { expandHost } from "#core/lib/hostname.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { destinationsOf } from "./destinations.ts";
import { diagnose, localName } from "./diagnose.ts";

type VirtualServiceObject = SourceObject<"VirtualService">;

/**
 * Routes of a gateway to a service whose own VirtualService chooses subsets: a gateway only follows the rules that are bound to it, so that the choice
 * has no effect there (istio `analyzers/virtualservice/destinationhosts.go` analyzeSubset).
 */
export const checkSubsetsBehindGateways = memoize((objects: readonly VirtualServiceObject[], config: MeshConfig): readonly Diagnostic[] => {
  if (objects.every(({ spec }) => spec.gateways.length === 0)) return [];
  const choosing = new Map<string, VirtualServiceObject[]>();
  for (const object of objects) {
    for (const host of chosenHosts(object, config)) choosing.set(host, [...(choosing.get(host) ?? []), object]);
  }
  return objects.flatMap((object) => (object.spec.gateways.length === 0 ? [] : ineffective(object, choosing, config)));
});

/** Hosts of the object that it splits into subsets itself. */
const chosenHosts = memoize((object: VirtualServiceObject, config: MeshConfig): ReadonlySet<string> => {
  const full = (host: string) => expandHost(host, object.key.namespace, config.domainSuffix);
  const hosts = new Set(object.spec.hosts.map(full));
  const split = destinationsOf(object).filter(({ destination, http }) => http && destination.subset !== "");
  return new Set(split.map(({ destination }) => full(destination.host)).filter((host) => hosts.has(host)));
});

function ineffective(
  object: VirtualServiceObject,
  choosing: ReadonlyMap<string, readonly VirtualServiceObject[]>,
  config: MeshConfig,
): readonly Diagnostic[] {
  const told = new Set<VirtualServiceObject>();
  return destinationsOf(object).flatMap(({ destination, path, http }) => {
    if (!http || destination.subset !== "") return [];
    const rivals = choosing.get(expandHost(destination.host, object.key.namespace, config.domainSuffix)) ?? [];
    return rivals.flatMap((rival) => {
      if (rival === object || told.has(rival)) return [];
      told.add(rival);
      const message =
        `sends to "${destination.host}" from a gateway, where the subsets that VirtualService ${localName(rival)} chooses have no effect: ` +
        "choose a subset here too, if one is meant";
      return diagnose(object, { severity: "warning", code: "IST0140", field: `${path}.host`, message });
    });
  });
}
