/** Begins the name of a credential that a ConfigMap holds, `configmap://NAMESPACE/NAME` (istio `model/credentials` ParseResourceName). */
export const CONFIG_MAP_CREDENTIAL = "configmap://";

/** Does the name mean a ConfigMap? Unlike Secrets, these may be read by whoever a rule is for. */
export function isConfigMapCredential(name: string): boolean {
  return name.startsWith(CONFIG_MAP_CREDENTIAL);
}

/** The ConfigMap that the name of a credential means; undefined where a part of it is missing. */
export function configMapOf(name: string): { readonly namespace: string; readonly name: string } | undefined {
  return qualifiedName(name.slice(CONFIG_MAP_CREDENTIAL.length));
}

/** `NAMESPACE/NAME` in parts; undefined where one is missing. */
export function qualifiedName(text: string): { readonly namespace: string; readonly name: string } | undefined {
  const [namespace = "", name = ""] = text.split("/");
  return namespace === "" || name === "" ? undefined : { namespace, name };
}
