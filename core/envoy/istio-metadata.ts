/** Metadata that names the Istio object a resource was made from (istio `util.BuildConfigInfoMetadata`). */
export interface ConfigMetadata {
  filterMetadata: { istio: { config: string } };
}

/** For an object of networking.istio.io; `kind` in kebab case, for example `virtual-service`. */
export function configMetadata(kind: string, object: { readonly namespace: string; readonly name: string }): ConfigMetadata {
  return { filterMetadata: { istio: { config: configPath(kind, object) } } };
}

export function configPath(kind: string, object: { readonly namespace: string; readonly name: string }): string {
  return `/apis/networking.istio.io/v1/namespaces/${object.namespace}/${kind}/${object.name}`;
}
