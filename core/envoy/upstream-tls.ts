import type { MessageInitShape } from "@bufbuild/protobuf";
import { closeMessage, writeText } from "#core/lib/protobuf/by-hand.ts";
import { encodeFragment, writeMessage } from "#core/lib/protobuf/encode.ts";
import type { Fragment } from "#core/lib/protobuf/fragment.ts";
import { writeAnyAround } from "#core/lib/protobuf/message-writer.ts";
import { packed } from "#core/lib/protobuf/packed.ts";
import type { Writer } from "#core/lib/protobuf/writer.ts";
import type { TransportSocketSchema } from "#proto/envoy/config/core/v3/base_pb.js";
import { TlsParameters_TlsProtocol, TlsParametersSchema } from "#proto/envoy/extensions/transport_sockets/tls/v3/common_pb.js";
import { CommonTlsContextSchema, UpstreamTlsContextSchema } from "#proto/envoy/extensions/transport_sockets/tls/v3/tls_pb.js";
import type { SecretReference } from "./sds.ts";

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
export function upstreamTlsSocket(common: CommonTls, serverName: string): MessageInitShape<typeof TransportSocketSchema> {
  const value = packed(UpstreamTlsContextSchema, { commonTlsContext: common, sni: serverName });
  return { name: TLS_SOCKET, configType: { case: "typedConfig", value } };
}

/** The transport socket that speaks TLS. */
export const TLS_SOCKET = "envoy.transport_sockets.tls";

/** TLS to servers of the mesh. */
export interface MeshTls {
  readonly common: CommonTls;
  readonly serverName: string;
}

/** The fields of an Any of it. UpstreamTlsContext: common_tls_context = 1, sni = 2. */
export function writeMeshTls(writer: Writer, { common, serverName }: MeshTls): void {
  const mark = writer.size;
  writeText(writer, serverName, 0x12);
  const context = writer.size;
  writeMessage(writer, CommonTlsContextSchema, common);
  closeMessage(writer, context, 0x0a);
  writeAnyAround(writer, UpstreamTlsContextSchema, mark);
}
