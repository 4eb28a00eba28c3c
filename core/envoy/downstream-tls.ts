import { TlsParameters_TlsProtocol } from "#proto/envoy/extensions/transport_sockets/tls/v3/common_pb.js";
import { DownstreamTlsContextSchema } from "#proto/envoy/extensions/transport_sockets/tls/v3/tls_pb.js";
import { packAny } from "./any.ts";
import type { TransportSocket } from "./filter-chain.ts";
import { agentSecret, type SecretServer } from "./sds.ts";

export interface MutualTlsFields {
  readonly alpn: readonly string[];
  readonly cipherSuites: readonly string[];
  readonly minimumTls13: boolean;
  /** Names of the secrets that the agent serves. */
  readonly certificate: string;
  readonly roots: string;
  readonly server: SecretServer;
  /** Clients must have a URI SAN that starts with one of these. */
  readonly clientPrefixes: readonly string[];
}

/** A server's side of mutual TLS between workloads. */
export function mutualTlsSocket(fields: MutualTlsFields): TransportSocket {
  const value = packAny(DownstreamTlsContextSchema, {
    requireClientCertificate: true,
    commonTlsContext: {
      tlsParams: {
        tlsMinimumProtocolVersion: fields.minimumTls13 ? TlsParameters_TlsProtocol.TLSv1_3 : TlsParameters_TlsProtocol.TLSv1_2,
        tlsMaximumProtocolVersion: TlsParameters_TlsProtocol.TLSv1_3,
        cipherSuites: [...fields.cipherSuites],
      },
      alpnProtocols: [...fields.alpn],
      tlsCertificateSdsSecretConfigs: [agentSecret(fields.certificate, fields.server)],
      validationContextType: {
        case: "combinedValidationContext",
        value: {
          defaultValidationContext: {
            matchSubjectAltNames: fields.clientPrefixes.map((prefix) => ({ matchPattern: { case: "prefix" as const, value: prefix } })),
          },
          validationContextSdsSecretConfig: agentSecret(fields.roots, fields.server),
        },
      },
    },
  });
  return { name: "envoy.transport_sockets.tls", configType: { case: "typedConfig", value } };
}
