import { decodeBase64 } from "#core/lib/base64.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Secret, SecretContent } from "#core/model/secret.ts";
import { findObject, type Inventory } from "#core/sources/inventory.ts";
import { fileSecret } from "./file-secret.ts";
import { type SecretLocation, secretLocation } from "./secret-name.ts";

/** Who asks for secrets. */
export interface SecretClient {
  readonly namespace: string;
  readonly cluster: string;
  /** Names of the form `kubernetes-gateway://` that the router may have. */
  readonly granted: ReadonlySet<string>;
}

/**
 * The secret that a proxy asks for by this name; undefined if there is none, if it lacks what is wanted, or if the proxy may not have it: other
 * namespaces' secrets need a grant, while ConfigMaps hold nothing secret (istio `pilot/pkg/xds/sds.go` generate, filterAuthorizedResources).
 */
export function resolveSecret(inventory: Inventory, name: string, client: SecretClient): Secret | undefined {
  const files = fileSecret(name);
  if (files !== undefined) return { name, content: files, sources: [] };
  const location = secretLocation(name, client.namespace);
  if (location === undefined || !isAllowed(name, location, client)) return undefined;
  const cluster = location.cluster === "own" ? client.cluster : inventory.configCluster;
  for (const key of candidates(location, cluster)) {
    const entries = entriesOf(inventory, key);
    if (entries === undefined) continue;
    const content = location.kind === "ConfigMap" || wantsRoots(location) ? rootsIn(entries) : certificateIn(entries);
    return content && { name, content, sources: [key] };
  }
  return undefined;
}

function isAllowed(name: string, location: SecretLocation, { namespace, granted }: SecretClient): boolean {
  if (location.kind === "ConfigMap") return true;
  return location.granted ? granted.has(name) : location.namespace === namespace;
}

const ROOTS_SUFFIX = "-cacert";

function wantsRoots({ name }: SecretLocation): boolean {
  return name.endsWith(ROOTS_SUFFIX);
}

/** Roots stand in an object of their own, or beside the certificate that they go with. */
function candidates(location: SecretLocation, cluster: string): readonly (ObjectKey & { readonly kind: "Secret" | "ConfigMap" })[] {
  const { kind, namespace, name } = location;
  const plain = wantsRoots(location) ? name.slice(0, -ROOTS_SUFFIX.length) : name;
  const names = kind === "ConfigMap" ? [plain] : [...new Set([name, plain])];
  return names.map((one) => ({ cluster, kind, namespace, name: one }));
}

type Entries = (key: string) => Uint8Array | undefined;

function entriesOf(inventory: Inventory, key: ObjectKey & { readonly kind: "Secret" | "ConfigMap" }): Entries | undefined {
  if (key.kind === "ConfigMap") {
    const data = findObject(inventory, { ...key, kind: "ConfigMap" })?.spec.data;
    return data && ((entry) => (data[entry] === undefined ? undefined : new TextEncoder().encode(data[entry])));
  }
  const data = findObject(inventory, { ...key, kind: "Secret" })?.spec.data;
  return data && ((entry) => (data[entry] === undefined ? undefined : decodeBase64(data[entry])));
}

/** Keys of generic secrets go before those of type kubernetes.io/tls (istio `credentials/kube/secrets.go` ExtractCertInfo). */
function certificateIn(entries: Entries): SecretContent | undefined {
  const generic = pair(entries("cert"), entries("key"));
  if (generic !== undefined) return { kind: "certificate", ...generic };
  const tls = pair(entries("tls.crt"), entries("tls.key"));
  const staple = entries("tls.ocsp-staple");
  return tls && { kind: "certificate", ...tls, ...(staple && { staple }) };
}

function pair(chain: Uint8Array | undefined, key: Uint8Array | undefined): { readonly chain: Uint8Array; readonly key: Uint8Array } | undefined {
  return chain === undefined || key === undefined || chain.length === 0 || key.length === 0 ? undefined : { chain, key };
}

/** Likewise for roots (istio ExtractRoot). */
function rootsIn(entries: Entries): SecretContent | undefined {
  for (const [rootsKey, revokedKey] of [["cacert", "crl"] as const, ["ca.crt", "ca.crl"] as const]) {
    const roots = entries(rootsKey);
    const revoked = entries(revokedKey);
    if (roots !== undefined && roots.length > 0) return { kind: "roots", roots, ...(revoked && { revoked }) };
  }
  return undefined;
}
