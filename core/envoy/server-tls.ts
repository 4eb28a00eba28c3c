import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type CertificateValidationContextSchema,
  TlsParameters_TlsProtocol,
  CertificateValidationContext_TrustChainVerification as TrustChain,
} from "#proto/envoy/extensions/transport_sockets/tls/v3/common_pb.js";
import { type CommonTlsContextSchema, DownstreamTlsContextSchema } from "#proto/envoy/extensions/transport_sockets/tls/v3/tls_pb.js";
import { packAny } from "./any.ts";
import type { TransportSocket } from "./filter-chain.ts";
import type { SecretReference } from "./sds.ts";

/** How a client's certificate is checked. */
export interface ClientCheck {
  /** Exact names, one of which the certificate must have; empty: any. */
  readonly subjects: readonly string[];
  readonly spki: readonly string[];
  readonly hashes: readonly string[];
  /** File of revoked certificates; "" if none. */
  readonly revocationList: string;
  /** Lets certificates in that nobody vouches for. */
  readonly acceptUntrusted: boolean;
  /** Who vouches; absent: only what the context itself says counts. */
  readonly roots?: SecretReference;
}

/** Empty fields keep Envoy's own values. */
export interface TlsParameters {
  readonly minimum?: keyof typeof TlsParameters_TlsProtocol;
  readonly maximum?: keyof typeof TlsParameters_TlsProtocol;
  readonly cipherSuites: readonly string[];
  readonly curves: readonly string[];
}

export interface ServerTlsFields {
  readonly alpn: readonly string[];
  readonly requireClientCertificate: boolean;
  readonly certificates: readonly SecretReference[];
  readonly check?: ClientCheck;
  /** Absent: not written at all. */
  readonly parameters?: TlsParameters;
}

/** The socket of a server that ends TLS for anybody. */
export function serverTlsSocket(fields: ServerTlsFields): TransportSocket {
  const value = packAny(DownstreamTlsContextSchema, {
    requireClientCertificate: fields.requireClientCertificate,
    commonTlsContext: {
      ...(fields.parameters && { tlsParams: parametersMessage(fields.parameters) }),
      alpnProtocols: [...fields.alpn],
      tlsCertificateSdsSecretConfigs: [...fields.certificates],
      ...(fields.check && validation(fields.check)),
    },
  });
  return { name: "envoy.transport_sockets.tls", configType: { case: "typedConfig", value } };
}

function parametersMessage({ minimum, maximum, cipherSuites, curves }: TlsParameters) {
  return {
    ...(minimum && { tlsMinimumProtocolVersion: TlsParameters_TlsProtocol[minimum] }),
    ...(maximum && { tlsMaximumProtocolVersion: TlsParameters_TlsProtocol[maximum] }),
    cipherSuites: [...cipherSuites],
    ecdhCurves: [...curves],
  };
}

function validation(check: ClientCheck): Pick<MessageInitShape<typeof CommonTlsContextSchema>, "validationContextType"> {
  const own: MessageInitShape<typeof CertificateValidationContextSchema> = {
    verifyCertificateSpki: [...check.spki],
    verifyCertificateHash: [...check.hashes],
    matchSubjectAltNames: check.subjects.map((subject) => ({ matchPattern: { case: "exact" as const, value: subject } })),
    ...(check.revocationList === "" ? {} : { crl: { specifier: { case: "filename" as const, value: check.revocationList } } }),
    ...(check.acceptUntrusted && { trustChainVerification: TrustChain.ACCEPT_UNTRUSTED }),
  };
  if (check.roots === undefined) return { validationContextType: { case: "validationContext", value: own } };
  const value = { defaultValidationContext: own, validationContextSdsSecretConfig: check.roots };
  return { validationContextType: { case: "combinedValidationContext", value } };
}
