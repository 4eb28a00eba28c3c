import { type LabelSelector, selectorFits } from "#core/lib/label-selector.ts";
import type { Labels } from "#core/lib/labels.ts";
import type { SourceObject } from "#core/sources/object.ts";

/** What is read of the namespaces of one cluster. */
export interface Namespaces {
  /** The object, if there is one: its labels and annotations count for what is in it. */
  readonly find: (namespace: string) => SourceObject<"Namespace"> | undefined;
  /** May objects of this namespace be looked at at all? Cluster-wide objects (namespace "") always may. */
  readonly isDiscovered: (namespace: string) => boolean;
}

const NONE: Labels = {};

/**
 * The namespaces of `cluster`, judged by the mesh config's `discoverySelectors`: with any, a namespace that does not exist as an object is not
 * discovered (istio `pkg/kube/namespace/filter.go`).
 */
export function namespacesOf(objects: readonly SourceObject<"Namespace">[], selectors: readonly LabelSelector[], cluster: string): Namespaces {
  const byName = new Map<string, SourceObject<"Namespace">>();
  for (const object of objects) if (object.key.cluster === cluster) byName.set(object.key.name, object);
  const isDiscovered = (name: string): boolean => {
    if (selectors.length === 0 || name === "") return true;
    return byName.has(name) && selectors.some((selector) => selectorFits(selector, byName.get(name)?.labels ?? NONE));
  };
  return { find: (name) => byName.get(name), isDiscovered };
}
