/** Identifies one object of one source: Kubernetes' (cluster, kind, namespace, name). Cluster-scoped objects have namespace "". */
export interface ObjectKey {
  readonly cluster: string;
  /** Kind as Istio names it internally, so that each is unique: Gateway API's Gateway is `KubernetesGateway`. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** One line of text for a key, `cluster/kind/namespace/name`; sorts like the key and parses back with {@link parseObjectKey}. */
export function formatObjectKey(key: ObjectKey): string {
  return `${key.cluster}/${key.kind}/${key.namespace}/${key.name}`;
}

/** The inverse of {@link formatObjectKey}. Kubernetes forbids "/" in each part but the name of a mesh-external source, which comes last. */
export function parseObjectKey(text: string): ObjectKey {
  const [cluster = "", kind = "", namespace = "", ...name] = text.split("/");
  return { cluster, kind, namespace, name: name.join("/") };
}
