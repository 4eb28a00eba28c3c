import { CIPHER_SUITES } from "#core/lib/cipher-suites.ts";
import {
  ServerTLSSettings_TLSmode as Mode,
  ServerTLSSettings_TLSProtocol as Protocol,
  type ServerTLSSettings,
} from "#proto/networking/v1alpha3/gateway_pb.js";
import type { Findings } from "./findings.ts";

/** How a server speaks TLS, at a gateway or at a Sidecar's ingress (istio validateTLSOptions). */
export function checkServerTls(tls: ServerTLSSettings | undefined, path: string, findings: Findings): void {
  if (tls === undefined) return;
  const old = tls.minProtocolVersion === Protocol.TLSV1_0 || tls.minProtocolVersion === Protocol.TLSV1_1;
  if (old && tls.cipherSuites.length === 0) findings.warning(`${path}.minProtocolVersion`, "versions below TLSV1_2 need ciphers that fit");
  checkCiphers(tls.cipherSuites, `${path}.cipherSuites`, findings);
  if (tls.mode === Mode.ISTIO_MUTUAL) checkIstioMutual(tls, path, findings);
  else checkCertificates(tls, path, findings);
}

const PASSING: ReadonlySet<Mode> = new Set([Mode.PASSTHROUGH, Mode.AUTO_PASSTHROUGH]);
const TERMINATING: ReadonlySet<Mode> = new Set([Mode.SIMPLE, Mode.MUTUAL, Mode.OPTIONAL_MUTUAL]);

/** Certificates come from one place: a credential, several of them, or files. */
function checkCertificates(tls: ServerTLSSettings, path: string, findings: Findings): void {
  if (PASSING.has(tls.mode) && namesCertificates(tls)) findings.warning(path, `certificates have no use in mode ${Mode[tls.mode]}`);
  const files = tls.serverCertificate !== "" && tls.privateKey !== "";
  const sources = [files, tls.credentialName !== "", tls.credentialNames.length > 0, tls.tlsCertificates.length > 0].filter(Boolean).length;
  const names = "credentialName, credentialNames, serverCertificate with privateKey, and tlsCertificates";
  if (sources > 1) findings.error(path, `only one of ${names} may be set`);
  const fetched = tls.credentialName !== "" || tls.credentialNames.length > 0;
  if (TERMINATING.has(tls.mode)) {
    if (fetched) return;
    checkFiles(tls, path, findings);
  }
  if (tls.caCrl === "") return;
  if (tls.credentialName !== "") findings.error(`${path}.caCrl`, "the list of revoked certificates belongs in the credential");
  if (tls.mode === Mode.SIMPLE) findings.error(`${path}.caCrl`, "has no use in mode SIMPLE");
}

/** An unknown suite is left out; what doesn't start with a letter or digit is an operator of OpenSSL's cipher strings. */
function checkCiphers(suites: readonly string[], path: string, findings: Findings): void {
  const seen = new Set<string>();
  for (const [index, suite] of suites.entries()) {
    const known = suite === "" || suite === "ALL" || !/^[\p{L}\p{N}]/u.test(suite) || CIPHER_SUITES.has(suite);
    if (!known) findings.warning(`${path}[${index}]`, `"${suite}" is not a cipher suite that Envoy has, it is left out`);
    else if (seen.has(suite)) findings.warning(`${path}[${index}]`, `"${suite}" is there already`);
    seen.add(suite);
  }
}

function namesCertificates(tls: ServerTLSSettings): boolean {
  const files = [tls.caCrl, tls.serverCertificate, tls.privateKey, tls.caCertificates, tls.credentialName];
  return files.some((file) => file !== "") || tls.tlsCertificates.length > 0 || tls.credentialNames.length > 0;
}

/** Istio brings the certificates itself. */
function checkIstioMutual(tls: ServerTLSSettings, path: string, findings: Findings): void {
  for (const field of ["serverCertificate", "privateKey", "caCertificates", "tlsCertificates", "credentialName", "credentialNames"] as const) {
    if (tls[field].length > 0) findings.error(`${path}.${field}`, "can't be set in mode ISTIO_MUTUAL");
  }
}

function checkFiles(tls: ServerTLSSettings, path: string, findings: Findings): void {
  const mode = Mode[tls.mode];
  if (tls.mode !== Mode.SIMPLE && tls.caCertificates === "") findings.error(`${path}.caCertificates`, `mode ${mode} needs CA certificates`);
  if (tls.tlsCertificates.length > 2) findings.warning(`${path}.tlsCertificates`, "at most two certificates are used");
  const several = tls.tlsCertificates.map((certificate, index) => ({ ...certificate, at: `${path}.tlsCertificates[${index}]` }));
  for (const { serverCertificate, privateKey, at } of several.length > 0 ? several : [{ ...tls, at: path }]) {
    if (serverCertificate === "") findings.error(`${at}.serverCertificate`, `mode ${mode} needs a server certificate`);
    if (privateKey === "") findings.error(`${at}.privateKey`, `mode ${mode} needs a private key`);
  }
}
