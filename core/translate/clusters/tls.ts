import { agentSecret, ROOT_SECRET, WORKLOAD_SECRET } from "#core/envoy/sds.ts";
import type { TransportSocket } from "#core/envoy/transport-socket.ts";
import type { UpstreamHttpFields } from "#core/envoy/upstream-http.ts";
import { type CommonTls, type CommonTlsFields, commonTls, type ServerCheck, upstreamTlsSocket } from "#core/envoy/upstream-tls.ts";
import { memoize } from "#core/lib/memo.ts";
import type { Service } from "#core/model/service.ts";
import type { ClientTls } from "#core/model/traffic-policy.ts";
import { credential } from "../credential.ts";
import type { OutboundSettings } from "./settings.ts";

/** What TLS does to a cluster. */
export interface TlsParts {
  readonly socket?: TransportSocket;
  readonly serverName?: UpstreamHttpFields["serverName"];
  /** Names of secrets that the proxy will ask its control plane for. */
  readonly secrets: readonly string[];
}

export interface TlsContext {
  /** Name of the cluster: what a mesh server is asked for if nothing else is said. */
  readonly cluster: string;
  readonly registry: Service["registry"] | "none";
  /** In every trust domain. */
  readonly identities: readonly string[];
  /** The cluster speaks HTTP/2 and nothing else. */
  readonly http2: boolean;
  /** The rule is for selected workloads: only then may a sidecar be told of credentials, since all others would wait for them in vain. */
  readonly selected: boolean;
  /** The server's name comes from the request (dynamic forward proxies). */
  readonly dynamic: boolean;
}

const NO_TLS: TlsParts = { secrets: [] };

/** The client's side of TLS for a cluster (istio `core/cluster_tls.go` buildUpstreamClusterTLSContext). */
export function tlsParts(tls: ClientTls | undefined, context: TlsContext, settings: OutboundSettings): TlsParts {
  if (tls === undefined || tls.mode === "DISABLE") return NO_TLS;
  if (tls.mode === "ISTIO_MUTUAL") return meshTls(tls, context);
  const privileged = tls.credentialName !== "" && !tls.credentialName.startsWith("configmap://");
  if (privileged && settings.node === "sidecar" && !context.selected) return NO_TLS;
  return originatedTls(tls, context, settings);
}

/** Between workloads of the mesh; the ALPN tells the server so. */
function meshTls(tls: ClientTls, context: TlsContext): TlsParts {
  const serverName = tls.sni === "" && !context.dynamic ? context.cluster : tls.sni;
  const socket = upstreamTlsSocket(meshTlsCommon(tls.subjectAltNames, context.http2 ? MESH_H2 : MESH), serverName);
  return context.dynamic ? { socket, serverName: derivedName(tls, true), secrets: [] } : { socket, secrets: [] };
}

const MESH = ["istio-peer-exchange", "istio"];
const MESH_H2 = [...MESH, "h2"];
const H2 = ["h2"];
const NO_ALPN: readonly string[] = [];

/** Encoded once for all ports and subsets of a service. */
const meshTlsCommon = memoize((subjects: readonly string[], alpn: readonly string[]): CommonTls => {
  const check: ServerCheck = { kind: "roots", roots: agentSecret(ROOT_SECRET), subjects };
  return commonTls({ certificate: agentSecret(WORKLOAD_SECRET), check, alpn, cipherSuites: [], curves: [] });
});

/** To anybody, with certificates from files or secrets (istio constructUpstreamTLS). */
function originatedTls(tls: ClientTls, context: TlsContext, settings: OutboundSettings): TlsParts {
  const serverName = derivedName(tls, context.dynamic);
  const subjects = context.registry === "External" && tls.subjectAltNames.length === 0 ? context.identities : tls.subjectAltNames;
  const material = tls.credentialName === "" ? fromFiles(tls, subjects, settings) : fromCredential(tls, subjects, settings);
  const named = serverName === undefined ? {} : { serverName };
  if (material === undefined) return { ...named, secrets: [] };
  const { cipherSuites, curves } = settings.tlsDefaults;
  const common = commonTls({ ...material.fields, alpn: context.http2 ? H2 : NO_ALPN, cipherSuites, curves });
  return { socket: upstreamTlsSocket(common, tls.sni), ...named, secrets: material.secrets };
}

interface Material {
  readonly fields: Pick<CommonTlsFields, "certificate" | "check">;
  readonly secrets: readonly string[];
}

/** The agent reads the files and serves them under composed names, so that they can change. Undefined: a client certificate is wanted, but incomplete. */
function fromFiles(tls: ClientTls, subjects: readonly string[], { secretServer }: OutboundSettings): Material | undefined {
  if (tls.mode === "MUTUAL" && (tls.clientCertificate === "" || tls.privateKey === "")) return undefined;
  const roots = agentSecret(`file-root:${tls.caCertificates || "system"}`, secretServer);
  const check: ServerCheck =
    tls.insecureSkipVerify === true
      ? { kind: "none" }
      : { kind: "roots", roots, subjects, ...(tls.caCrl === "" ? {} : { revocationList: tls.caCrl }) };
  const certificate = tls.mode === "MUTUAL" ? { certificate: agentSecret(`file-cert:${tls.clientCertificate}~${tls.privateKey}`, secretServer) } : {};
  return { fields: { ...certificate, check }, secrets: [] };
}

function fromCredential(tls: ClientTls, subjects: readonly string[], settings: OutboundSettings): Material {
  const pair = tls.mode === "MUTUAL" ? [credential(tls.credentialName, settings.credentialSocket)] : [];
  const skips = tls.insecureSkipVerify === true;
  const roots = credential(`${tls.credentialName}-cacert`, settings.credentialSocket);
  const check: ServerCheck = skips ? { kind: "absent" } : { kind: "roots", roots: roots.reference, subjects };
  const used = skips ? pair : [...pair, roots];
  return {
    fields: { ...(pair[0] && { certificate: pair[0].reference }), check },
    secrets: used.flatMap(({ resource }) => (resource === undefined ? [] : [resource])),
  };
}

/**
 * Without a server name it is derived from each request; the certificate is then checked against it, unless the rule names subjects, or no check is
 * wanted at all. A dynamic forward proxy always checks (istio setAutoSniAndAutoSanValidation).
 */
export function derivedName(tls: ClientTls, dynamic: boolean): UpstreamHttpFields["serverName"] {
  const auto = tls.sni === "";
  const validate = tls.insecureSkipVerify !== true && (dynamic || (auto && tls.subjectAltNames.length === 0));
  return auto || validate ? { auto, validate } : undefined;
}
