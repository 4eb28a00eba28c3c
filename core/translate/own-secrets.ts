import { ROOT_SECRET, type SecretServer, WORKLOAD_SECRET } from "#core/envoy/sds.ts";
import { dialectFeatures } from "#core/node/dialect-features.ts";
import type { Dialect, ProxyFeatures } from "#core/node/facts.ts";
import type { WantedSecret } from "./secrets.ts";

/** What a proxy shows to others of the mesh, and who vouches for them: names of secrets, and who serves these. */
export interface OwnSecrets {
  readonly certificate: string;
  readonly roots: string;
  readonly server: SecretServer;
}

/** What decides them: equal clients have equal secrets. */
export interface SecretsClient {
  readonly features: ProxyFeatures;
  readonly dialect: Dialect;
}

const AGENT: OwnSecrets = { certificate: WORKLOAD_SECRET, roots: ROOT_SECRET, server: "sds-grpc" };

/** Who serves secrets that are files of the proxy's: an agent, or the control plane, which sends their paths. */
export function fileServer({ features, dialect }: SecretsClient): SecretServer {
  if (!dialectFeatures(dialect).agent) return "ads";
  return features.fileCredential ? "sds-files-grpc" : "sds-grpc";
}

/** As a client of other workloads. Undefined: it has no certificate, and speaks no mutual TLS. */
export function clientSecrets({ features, dialect }: SecretsClient): OwnSecrets | undefined {
  const { agent, apiListeners } = dialectFeatures(dialect);
  if (agent) return AGENT;
  const { tlsClientCertChain: chain, tlsClientKey: key, tlsClientRootCert: roots } = features;
  if (apiListeners) return provided(features, chain);
  return fromFiles(chain, key, roots) ?? fromCredential(features);
}

/** As a server; istio's agent serves files that a proxy names in place of the workload's own. */
export function serverSecrets(client: SecretsClient): OwnSecrets | undefined {
  const { tlsServerCertChain: chain, tlsServerKey: key, tlsServerRootCert: roots } = client.features;
  const { agent, apiListeners } = dialectFeatures(client.dialect);
  if (apiListeners) return provided(client.features, chain);
  if (!agent) return fromFiles(chain, key, roots) ?? fromCredential(client.features);
  return {
    certificate: chain !== "" && key !== "" ? certificateFiles(chain, key) : WORKLOAD_SECRET,
    roots: roots === "" ? ROOT_SECRET : rootsFile(roots),
    server: fileServer(client),
  };
}

/** Half a pair, or a pair that nobody is known to vouch for, is none. */
function fromFiles(chain: string, key: string, roots: string): OwnSecrets | undefined {
  return chain === "" || key === "" || roots === ""
    ? undefined
    : { certificate: certificateFiles(chain, key), roots: rootsFile(roots), server: "ads" };
}

/** Nothing tells whether a gRPC bootstrap has a certificate provider: one that Istio's agent wrote has, or one whose metadata name files. */
function provided({ version }: ProxyFeatures, chain: string): OwnSecrets | undefined {
  return version === undefined && chain === "" ? undefined : AGENT;
}

function fromCredential({ tlsCredential: name }: ProxyFeatures): OwnSecrets | undefined {
  return name === "" ? undefined : { certificate: `kubernetes://${name}`, roots: `kubernetes://${name}-cacert`, server: "ads" };
}

/** Names of secrets that stand for files (istio `security/model` `SdsCertificateConfig.GetResourceName`, GetRootResourceName). */
export function certificateFiles(chain: string, key: string): string {
  return `file-cert:${chain}~${key}`;
}

/** Likewise for those who are trusted. */
export function rootsFile(path: string): string {
  return `file-root:${path}`;
}

/** What the proxy asks its control plane for. */
export function wantedSecrets(...all: readonly (OwnSecrets | undefined)[]): readonly WantedSecret[] {
  const asked = all.flatMap((own) => (own?.server === "ads" ? [own.certificate, own.roots] : []));
  return [...new Set(asked)].map((name) => ({ name, from: [] }));
}
