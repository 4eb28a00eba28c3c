import type { TransportSocket } from "#core/envoy/filter-chain.ts";
import { agentSecret, ROOT_SECRET, type SecretReference, WORKLOAD_SECRET } from "#core/envoy/sds.ts";
import { type ClientCheck, type ServerTlsFields, serverTlsSocket, type TlsParameters } from "#core/envoy/server-tls.ts";
import { CIPHER_SUITES } from "#core/lib/cipher-suites.ts";
import type { GatewayServer, ServerTls, TlsVersion } from "#core/model/gateway.ts";
import { isHttp } from "#core/model/protocol.ts";
import { type Credential, credential } from "../credential.ts";
import { certificateFiles, rootsFile } from "../own-secrets.ts";
import type { GatewaySettings } from "./settings.ts";

/** A server's TLS, and the secrets that the router asks its control plane for. */
export interface ServerTlsParts {
  readonly socket: TransportSocket;
  readonly secrets: readonly string[];
}

const HTTP_ALPN = ["h2", "http/1.1"];
/** Proxies of the mesh exchange metadata over TCP by the first of these. */
const MESH_TCP_ALPN = ["istio-peer-exchange", ...HTTP_ALPN];

/** How a server ends TLS; undefined if the router lacks the certificate for it (istio `listener.go` BuildListenerTLSContext). */
export function serverTls(server: GatewayServer, tls: ServerTls, settings: GatewaySettings): ServerTlsParts | undefined {
  const material = materialOf(tls, settings);
  if (material === undefined) return undefined;
  const parameters = tls.mode === "ISTIO_MUTUAL" ? undefined : parametersOf(tls, settings);
  const fields: ServerTlsFields = {
    alpn: tls.mode === "ISTIO_MUTUAL" && isBytes(server) && settings.listeners.peerTls?.exchanges ? MESH_TCP_ALPN : HTTP_ALPN,
    requireClientCertificate: tls.mode === "MUTUAL" || tls.mode === "ISTIO_MUTUAL",
    certificates: material.certificates,
    ...(material.check && { check: material.check }),
    ...(parameters && { parameters }),
  };
  return { socket: serverTlsSocket(fields), secrets: material.secrets };
}

function isBytes({ port: { protocol } }: GatewayServer): boolean {
  return !isHttp(protocol) && protocol !== "HTTPS";
}

interface Material extends Pick<ServerTlsFields, "certificates" | "check"> {
  readonly secrets: readonly string[];
}

/** The workload's own certificate, else credentials, else files. */
function materialOf(tls: ServerTls, settings: GatewaySettings): Material | undefined {
  if (tls.mode === "ISTIO_MUTUAL") return ownMaterial(tls, settings);
  const names = tls.credentialNames.length > 0 ? tls.credentialNames : tls.credentialName === "" ? [] : [tls.credentialName];
  return names.length > 0 ? fromCredentials(names, tls, settings) : fromFiles(tls, settings);
}

function ownMaterial(tls: ServerTls, { listeners: { peerTls } }: GatewaySettings): Material | undefined {
  if (peerTls === undefined) return undefined;
  const { certificate, roots, server } = peerTls;
  return {
    certificates: [agentSecret(certificate, server)],
    check: fileCheck(tls, agentSecret(roots, server)),
    secrets: server === "ads" ? [certificate, roots] : [],
  };
}

/**
 * The agent reads the files and serves them under composed names, so that they can change; or the control plane sends their paths. Where none are named, the
 * workload's own are meant.
 */
function fromFiles(tls: ServerTls, settings: GatewaySettings): Material | undefined {
  const { fileServer: server } = settings;
  const certificates = tls.certificates.map(({ serverCertificate: chain, privateKey: key }) =>
    chain === "" || key === "" ? ownName("certificate", settings) : certificateFiles(chain, key),
  );
  const roots = tls.caCertificates === "" ? ownName("roots", settings) : rootsFile(tls.caCertificates);
  const asks = asksForCertificate(tls);
  const names = [...certificates, ...(asks ? [roots] : [])].filter((name) => name !== undefined);
  if (names.length < certificates.length + Number(asks)) return undefined;
  return {
    certificates: names.slice(0, certificates.length).map((name) => agentSecret(name, server)),
    ...(asks && roots !== undefined && { check: fileCheck(tls, agentSecret(roots, server)) }),
    secrets: server === "ads" ? names : [],
  };
}

/** An agent has them under fixed names, whatever files the router announces as its own. */
function ownName(which: "certificate" | "roots", { fileServer, listeners: { peerTls } }: GatewaySettings): string | undefined {
  if (fileServer === "ads") return peerTls?.[which];
  return which === "certificate" ? WORKLOAD_SECRET : ROOT_SECRET;
}

function fileCheck(tls: ServerTls, roots: SecretReference): ClientCheck {
  return { subjects: tls.subjectAltNames, spki: [], hashes: [], revocationList: tls.caCrl, acceptUntrusted: tls.insecureSkipVerify, roots };
}

/** Several certificates are of several kinds (RSA, ECDSA); whoever vouches for clients stands beside the first. */
function fromCredentials(names: readonly string[], tls: ServerTls, settings: GatewaySettings): Material {
  const certificates = names.map((name) => credential(name, settings));
  const roots = credential(tls.caCertCredentialName || `${names[0] ?? ""}-cacert`, settings);
  const asks = asksForCertificate(tls);
  const check = asks ? credentialCheck(tls, roots) : settings.subjectsAlone ? subjectsAlone(tls) : undefined;
  return {
    certificates: certificates.map(({ reference }) => reference),
    ...(check && { check }),
    secrets: (asks ? [...certificates, roots] : certificates).flatMap(({ resource }) => resource ?? []),
  };
}

function credentialCheck(tls: ServerTls, roots: Credential): ClientCheck {
  return {
    subjects: tls.subjectAltNames,
    spki: tls.verifyCertificateSpki,
    hashes: tls.verifyCertificateHash,
    revocationList: "",
    acceptUntrusted: tls.insecureSkipVerify,
    roots: roots.reference,
  };
}

/** A server that doesn't ask for certificates still looks at the names of those that come. */
function subjectsAlone({ subjectAltNames }: ServerTls): ClientCheck | undefined {
  if (subjectAltNames.length === 0) return undefined;
  return { subjects: subjectAltNames, spki: [], hashes: [], revocationList: "", acceptUntrusted: false };
}

function asksForCertificate({ mode }: ServerTls): boolean {
  return mode === "MUTUAL" || mode === "OPTIONAL_MUTUAL";
}

/** The server's own settings beat those of the mesh; suites that Envoy does not know are passed over. */
function parametersOf(tls: ServerTls, { tlsDefaults }: GatewaySettings): TlsParameters | undefined {
  const cipherSuites = tls.cipherSuites.filter((suite, at, all) => CIPHER_SUITES.has(suite) && all.indexOf(suite) === at);
  const minimum = versionOf(tls.minProtocolVersion) ?? versionOf(tlsDefaults.minimumVersion);
  const maximum = versionOf(tls.maxProtocolVersion);
  const parameters = {
    ...(minimum && { minimum }),
    ...(maximum && { maximum }),
    cipherSuites: cipherSuites.length > 0 ? cipherSuites : tlsDefaults.cipherSuites,
    curves: tlsDefaults.ecdhCurves,
  };
  const { curves } = parameters;
  return minimum || maximum || parameters.cipherSuites.length > 0 || curves.length > 0 ? parameters : undefined;
}

const VERSIONS = { TLSV1_0: "TLSv1_0", TLSV1_1: "TLSv1_1", TLSV1_2: "TLSv1_2", TLSV1_3: "TLSv1_3" } as const;

function versionOf(version: TlsVersion): TlsParameters["minimum"] {
  return version === "TLS_AUTO" ? undefined : VERSIONS[version];
}
