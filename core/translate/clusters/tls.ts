import { agentSecret, type SecretReference } from "#core/envoy/sds.ts";
import type { TransportSocket } from "#core/envoy/transport-socket.ts";
import type { UpstreamHttpFields } from "#core/envoy/upstream-http.ts";
import {
  type CommonTlsFields,
  commonTls,
  type MeshContext,
  type MeshTls,
  meshContext,
  type ServerCheck,
  upstreamTlsSocket,
} from "#core/envoy/upstream-tls.ts";
import { isConfigMapCredential } from "#core/lib/config-map-credential.ts";
import { memoize } from "#core/lib/memo.ts";
import type { Service } from "#core/model/service.ts";
import type { ClientTls } from "#core/model/traffic-policy.ts";
import { credential } from "../credential.ts";
import { certificateFiles, type OwnSecrets, rootsFile } from "../own-secrets.ts";
import type { OutboundSettings } from "./settings.ts";

/** What TLS does to a cluster. */
export interface TlsParts {
  readonly socket?: TransportSocket;
  /** Stands for the socket where it is of the mesh. */
  readonly mesh?: MeshTls;
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
  if (tls.mode === "ISTIO_MUTUAL") return settings.own === undefined ? NO_TLS : meshTls(tls, context, settings.own, settings.istioFilters);
  const privileged = tls.credentialName !== "" && !isConfigMapCredential(tls.credentialName);
  if (privileged && settings.node === "sidecar" && !context.selected) return NO_TLS;
  return originatedTls(tls, context, settings);
}

/** Between workloads of the mesh; the ALPN tells the server so. */
function meshTls(tls: ClientTls, { cluster, dynamic, http2 }: TlsContext, own: OwnSecrets, exchanges: boolean): TlsParts {
  const serverName = tls.sni === "" && !dynamic ? cluster : tls.sni;
  const alpn = MESH_ALPN[exchanges ? "exchanging" : "plain"][http2 ? "http2" : "any"];
  const mesh = { context: contextOf(own, alpn), subjects: tls.subjectAltNames, serverName };
  return {
    mesh,
    ...(dynamic && { serverName: derivedName(tls, true) }),
    secrets: askedFor(own.server, own.certificate, own.roots),
  };
}

/** With the protocol by which proxies exchange metadata, where both can, and that of clusters that speak HTTP/2 and nothing else. */
const MESH_ALPN = {
  exchanging: { any: ["istio-peer-exchange", "istio"], http2: ["istio-peer-exchange", "istio", "h2"] },
  plain: { any: ["istio"], http2: ["istio", "h2"] },
};
const H2 = ["h2"];
const NO_ALPN: readonly string[] = [];

const contextOf = memoize(
  ({ certificate, roots, server }: OwnSecrets, alpn: readonly string[]): MeshContext =>
    meshContext({ certificate: agentSecret(certificate, server), roots: agentSecret(roots, server), alpn }),
);

/** Names of secrets, if the proxy asks its control plane for them. */
function askedFor(server: OwnSecrets["server"], ...names: readonly string[]): readonly string[] {
  return server === "ads" ? names : NONE;
}

const NONE: readonly string[] = [];

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
  const skips = tls.insecureSkipVerify === true;
  const names = fileNames(tls);
  const roots = agentSecret(names.roots, secretServer);
  const check: ServerCheck = skips
    ? { kind: "none" }
    : { kind: "roots", roots, subjects, ...(tls.caCrl === "" ? {} : { revocationList: tls.caCrl }) };
  const certificate: { readonly certificate?: SecretReference } =
    names.certificate === undefined ? {} : { certificate: agentSecret(names.certificate, secretServer) };
  return {
    fields: { ...certificate, check },
    secrets: askedFor(secretServer, ...(names.certificate === undefined ? [] : [names.certificate]), ...(skips ? [] : [names.roots])),
  };
}

/** Names of the secrets that stand for a rule's files. Without roots those of the system count. */
export function fileNames(tls: ClientTls): { readonly certificate?: string; readonly roots: string } {
  const roots = rootsFile(tls.caCertificates || "system");
  return tls.mode === "MUTUAL" ? { certificate: certificateFiles(tls.clientCertificate, tls.privateKey), roots } : { roots };
}

function fromCredential(tls: ClientTls, subjects: readonly string[], settings: OutboundSettings): Material {
  const pair = tls.mode === "MUTUAL" ? [credential(tls.credentialName, settings)] : [];
  const skips = tls.insecureSkipVerify === true;
  const roots = credential(`${tls.credentialName}-cacert`, settings);
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
