import { compareText } from "./compare.ts";
import { equalLists } from "./equality.ts";

/** Identifies one object of one source: Kubernetes' (cluster, kind, namespace, name). Cluster-scoped objects have namespace "". */
export interface ObjectKey {
  readonly cluster: string;
  /** Kind as Istio names it internally, so that each is unique: Gateway API's Gateway is `KubernetesGateway`. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Orders keys by cluster, kind, namespace and name. */
export function compareObjectKeys(a: ObjectKey, b: ObjectKey): number {
  return compareText(a.cluster, b.cluster) || compareText(a.kind, b.kind) || compareText(a.namespace, b.namespace) || compareText(a.name, b.name);
}

/** Do two keys mean the same object? */
export function equalObjectKeys(a: ObjectKey, b: ObjectKey): boolean {
  return a === b || (a.name === b.name && a.namespace === b.namespace && a.kind === b.kind && a.cluster === b.cluster);
}

/** Do two lists of keys mean the same objects, in the same order? */
export function equalKeyLists(a: readonly ObjectKey[], b: readonly ObjectKey[]): boolean {
  return equalLists(a, b, equalObjectKeys);
}

/** One line of text for a key, `cluster/kind/namespace/name`; sorts like the key. */
export function formatObjectKey(key: ObjectKey): string {
  // Joined, since a template that is kept stays a tree of its parts.
  return [key.cluster, key.kind, key.namespace, key.name].join("/");
}
