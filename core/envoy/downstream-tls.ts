import { encodeFragment } from "#core/lib/protobuf/encode.ts";
import { packed } from "#core/lib/protobuf/packed.ts";
import { TransportSocketSchema } from "#proto/envoy/config/core/v3/base_pb.js";
import { TlsParameters_TlsProtocol } from "#proto/envoy/extensions/transport_sockets/tls/v3/common_pb.js";
import { DownstreamTlsContextSchema } from "#proto/envoy/extensions/transport_sockets/tls/v3/tls_pb.js";
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

/** A server's side of mutual TLS between workloads, encoded: most chains have it. */
export function mutualTlsSocket(fields: MutualTlsFields): TransportSocket {
  const value = packed(DownstreamTlsContextSchema, {
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
  return encodeFragment(TransportSocketSchema, { name: "envoy.transport_sockets.tls", configType: { case: "typedConfig", value } });
}
