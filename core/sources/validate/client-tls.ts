import { CONFIG_MAP_CREDENTIAL, configMapOf, isConfigMapCredential } from "#core/lib/config-map-credential.ts";
import { type ClientTLSSettings, ClientTLSSettings_TLSmode as Mode } from "#proto/networking/v1alpha3/destination_rule_pb.js";
import type { Findings } from "./findings.ts";

/** How a client speaks TLS (istio agent.ValidateTLS); `namespace` is the object's, from which alone it may read certificates of a ConfigMap. */
export function checkClientTls(tls: ClientTLSSettings | undefined, path: string, namespace: string, findings: Findings): void {
  if (tls === undefined) return;
  if (isConfigMapCredential(tls.credentialName)) findings.error(`${path}.credentialName`, configMapProblem(tls.credentialName, namespace));
  if (tls.insecureSkipVerify === true) checkUnverified(tls, path, findings);
  if ((tls.mode === Mode.SIMPLE || tls.mode === Mode.MUTUAL) && tls.credentialName !== "") {
    if ([tls.clientCertificate, tls.caCertificates, tls.privateKey, tls.caCrl].some((file) => file !== "")) {
      findings.error(path, "certificates come from credentialName, so none can be given as files");
    }
    return;
  }
  if (tls.mode !== Mode.MUTUAL) return;
  for (const field of ["clientCertificate", "privateKey"] as const) if (tls[field] === "") findings.error(`${path}.${field}`, "MUTUAL needs one");
}

/** Nothing to verify against may be given. In MUTUAL mode a credential is allowed: it may hold the client's certificate alone. */
function checkUnverified(tls: ClientTLSSettings, path: string, findings: Findings): void {
  const given = tls.caCertificates !== "" || tls.subjectAltNames.length > 0 || (tls.mode === Mode.SIMPLE && tls.credentialName !== "");
  if (given && (tls.mode === Mode.SIMPLE || tls.mode === Mode.MUTUAL)) {
    findings.error(`${path}.insecureSkipVerify`, "leaves no use for CA certificates, a credential or subject names");
  }
}

function configMapProblem(credential: string, own: string): string | undefined {
  const place = configMapOf(credential);
  if (place === undefined) return `must have the form ${CONFIG_MAP_CREDENTIAL}NAMESPACE/NAME`;
  return place.namespace === own ? undefined : `must name the object's own namespace, "${own}"`;
}
