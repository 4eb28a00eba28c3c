import { memoize } from "#core/lib/memo.ts";
import { encodeFragment } from "#core/lib/protobuf/encode.ts";
import { packed } from "#core/lib/protobuf/packed.ts";
import { TransportSocketSchema } from "#proto/envoy/config/core/v3/base_pb.js";
import {
  CommonTlsContextSchema,
  DownstreamTlsContextSchema,
  UpstreamTlsContextSchema,
} from "#proto/envoy/extensions/transport_sockets/tls/v3/tls_pb.js";
import type { TransportSocket } from "./filter-chain.ts";

/** The certificate provider that a gRPC bootstrap names, and what it provides (gRFC A29; istio `grpcgen.go` buildCommonTLSContext). */
const PROVIDER = "default";
const ROOTS = { instanceName: PROVIDER, certificateName: "ROOTCA" };
const CERTIFICATE = { instanceName: PROVIDER, certificateName: "default" };

/** In the present and in the deprecated fields: older clients know only these. */
function commonTls(subjects: readonly string[]) {
  return encodeFragment(CommonTlsContextSchema, {
    tlsCertificateProviderInstance: CERTIFICATE,
    tlsCertificateCertificateProviderInstance: CERTIFICATE,
    validationContextType: {
      case: "combinedValidationContext",
      value: {
        validationContextCertificateProviderInstance: ROOTS,
        defaultValidationContext: {
          matchSubjectAltNames: subjects.map((subject) => ({ matchPattern: { case: "exact" as const, value: subject } })),
          caCertificateProviderInstance: ROOTS,
        },
      },
    },
  });
}

/** A gRPC client's side of mutual TLS; `subjects`: whom it expects. */
export const providerClientSocket = memoize((subjects: readonly string[]): TransportSocket => {
  return socket(packed(UpstreamTlsContextSchema, { commonTlsContext: commonTls(subjects) }));
});

/** A server's side; what names clients may have can't be told to gRPC servers. */
export const providerServerSocket = memoize((): TransportSocket => {
  return socket(packed(DownstreamTlsContextSchema, { commonTlsContext: commonTls([]), requireClientCertificate: true }));
});

function socket(value: ReturnType<typeof packed>): TransportSocket {
  return encodeFragment(TransportSocketSchema, { name: "envoy.transport_sockets.tls", configType: { case: "typedConfig", value } });
}
