import { configMapOf, isConfigMapCredential, qualifiedName } from "#core/lib/config-map-credential.ts";

/** Which object a resource name stands for (istio `model/credentials` ParseResourceName). */
export interface SecretLocation {
  readonly kind: "Secret" | "ConfigMap";
  readonly namespace: string;
  readonly name: string;
  /** Whose cluster: the proxy's, or the one whose configuration counts. */
  readonly cluster: "own" | "config";
  /** Written for a Gateway of the Gateway API, which has to be allowed the reference. */
  readonly granted: boolean;
}

const PROXY = "kubernetes://";
const GATEWAY = "kubernetes-gateway://";

/** Reads a name; undefined for one that means nothing. Without a namespace it is the proxy's. */
export function secretLocation(resource: string, namespace: string): SecretLocation | undefined {
  if (resource.startsWith(PROXY)) {
    const [first = "", second] = resource.slice(PROXY.length).split("/");
    const place = second === undefined ? { namespace, name: first } : { namespace: first, name: second };
    return { kind: "Secret", ...place, cluster: "own", granted: false };
  }
  if (resource.startsWith(GATEWAY)) return located(qualifiedName(resource.slice(GATEWAY.length)), { kind: "Secret", granted: true });
  if (isConfigMapCredential(resource)) return located(configMapOf(resource), { kind: "ConfigMap", granted: false });
  return undefined;
}

function located(place: ReturnType<typeof qualifiedName>, rest: Pick<SecretLocation, "kind" | "granted">): SecretLocation | undefined {
  return place && { ...rest, ...place, cluster: "config" };
}
