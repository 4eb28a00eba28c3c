import type { MessageInitShape } from "@bufbuild/protobuf";
import { encodeFragment } from "#core/lib/protobuf/encode.ts";
import type { Fragment } from "#core/lib/protobuf/fragment.ts";
import { packed } from "#core/lib/protobuf/packed.ts";
import { TlsParameters_TlsProtocol, TlsParametersSchema } from "#proto/envoy/extensions/transport_sockets/tls/v3/common_pb.js";
import { CommonTlsContextSchema, UpstreamTlsContextSchema } from "#proto/envoy/extensions/transport_sockets/tls/v3/tls_pb.js";
import type { SecretReference } from "./sds.ts";
import type { TransportSocket } from "./transport-socket.ts";

/** How the server's certificate is checked. */
export type ServerCheck =
  /** Not at all, because nothing says how. */
  | { readonly kind: "absent" }
  /** Not at all, said explicitly. */
  | { readonly kind: "none" }
  /** Against roots from a secret, and a list of acceptable subjects if there is one. */
  | { readonly kind: "roots"; readonly roots: SecretReference; readonly subjects: readonly string[]; readonly revocationList?: string };

export interface CommonTlsFields {
  readonly certificate?: SecretReference;
  readonly check: ServerCheck;
  readonly alpn: readonly string[];
  readonly cipherSuites: readonly string[];
  readonly curves: readonly string[];
}

export type CommonTls = Fragment<typeof CommonTlsContextSchema>;

/** What clients of one server have in common, whatever name they ask for: encoded once. */
export function commonTls(fields: CommonTlsFields): CommonTls {
  return encodeFragment(CommonTlsContextSchema, {
    tlsParams: fields.cipherSuites.length + fields.curves.length === 0 ? ANY_CIPHERS : parameters(fields),
    alpnProtocols: [...fields.alpn],
    tlsCertificateSdsSecretConfigs: fields.certificate === undefined ? [] : [fields.certificate],
    ...validation(fields.check),
  });
}

function parameters({ cipherSuites, curves }: Pick<CommonTlsFields, "cipherSuites" | "curves">): MessageInitShape<typeof TlsParametersSchema> {
  return {
    tlsMinimumProtocolVersion: TlsParameters_TlsProtocol.TLSv1_2,
    tlsMaximumProtocolVersion: TlsParameters_TlsProtocol.TLSv1_3,
    cipherSuites: [...cipherSuites],
    ecdhCurves: [...curves],
  };
}

const ANY_CIPHERS = encodeFragment(TlsParametersSchema, parameters({ cipherSuites: [], curves: [] }));

function validation(check: ServerCheck): Pick<MessageInitShape<typeof CommonTlsContextSchema>, "validationContextType"> {
  switch (check.kind) {
    case "absent":
      return {};
    case "none":
      return { validationContextType: { case: "validationContext", value: {} } };
    case "roots":
      return {
        validationContextType: {
          case: "combinedValidationContext",
          value: {
            defaultValidationContext: {
              matchSubjectAltNames: check.subjects.map((subject) => ({ matchPattern: { case: "exact" as const, value: subject } })),
              ...(check.revocationList === undefined ? {} : { crl: { specifier: { case: "filename" as const, value: check.revocationList } } }),
            },
            validationContextSdsSecretConfig: check.roots,
          },
        },
      };
  }
}

/** The client's side of TLS; an empty server name sends none. */
export function upstreamTlsSocket(common: CommonTls, serverName: string): TransportSocket {
  const value = packed(UpstreamTlsContextSchema, { commonTlsContext: common, sni: serverName });
  return { name: "envoy.transport_sockets.tls", configType: { case: "typedConfig", value } };
}
