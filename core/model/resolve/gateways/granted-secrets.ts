import type { Gateway, ServerTls } from "#core/model/gateway.ts";
import { secretLocation } from "./secret-name.ts";

/**
 * The secrets of the form `kubernetes-gateway://` that a router may have: those of its own namespace that a Gateway there names
 * (istio `model/gateway.go` mergeGateways, verifiedCertificateReferences).
 */
export function grantedSecrets(gateways: readonly Gateway[], namespace: string): ReadonlySet<string> {
  const own = gateways.filter((gateway) => gateway.namespace === namespace);
  const names = own.flatMap(({ servers }) => servers.flatMap(({ tls }) => (tls === undefined ? [] : namesIn(tls, namespace))));
  return new Set(names);
}

function namesIn(tls: ServerTls, namespace: string): readonly string[] {
  const certificates = tls.credentialNames.length > 0 ? tls.credentialNames : [tls.credentialName];
  const own = certificates.filter((name) => isOf(name, namespace));
  const roots = tls.mode === "MUTUAL" ? own.map((name) => `${name}-cacert`) : [];
  return [...own, ...roots, ...[tls.caCertCredentialName].filter((name) => isOf(name, namespace))];
}

function isOf(name: string, namespace: string): boolean {
  const location = secretLocation(name, namespace);
  return location?.granted === true && location.namespace === namespace;
}
