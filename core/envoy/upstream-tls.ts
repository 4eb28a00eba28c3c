import type { MessageInitShape } from "@bufbuild/protobuf";
import { closeMessage, writeText } from "#core/lib/protobuf/by-hand.ts";
import { encode, encodeBy, encodeFragment } from "#core/lib/protobuf/encode.ts";
import { type Fragment, fragment } from "#core/lib/protobuf/fragment.ts";
import { writeAnyAround } from "#core/lib/protobuf/message-writer.ts";
import { packed } from "#core/lib/protobuf/packed.ts";
import type { Writer } from "#core/lib/protobuf/writer.ts";
import type { TransportSocketSchema } from "#proto/envoy/config/core/v3/base_pb.js";
import { TlsParameters_TlsProtocol, TlsParametersSchema } from "#proto/envoy/extensions/transport_sockets/tls/v3/common_pb.js";
import {
  CommonTlsContext_CombinedCertificateValidationContextSchema,
  CommonTlsContextSchema,
  UpstreamTlsContextSchema,
} from "#proto/envoy/extensions/transport_sockets/tls/v3/tls_pb.js";
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

/** What TLS to all servers of the mesh has in common, encoded: all but the subjects that a server may have, and its name. */
export interface MeshContext {
  /** The fields of a CommonTlsContext before the check of the server. */
  readonly first: Uint8Array;
  /** The roots of that check, as the field of a CombinedCertificateValidationContext. */
  readonly roots: Uint8Array;
}

export function meshContext({
  certificate,
  roots,
  alpn,
}: Required<Pick<CommonTlsFields, "certificate" | "alpn">> & { roots: SecretReference }): MeshContext {
  return {
    first: encode(CommonTlsContextSchema, { tlsParams: ANY_CIPHERS, alpnProtocols: [...alpn], tlsCertificateSdsSecretConfigs: [certificate] }),
    roots: encode(CommonTlsContext_CombinedCertificateValidationContextSchema, { validationContextSdsSecretConfig: roots }),
  };
}

/** TLS to one server of the mesh. Most clusters of a mesh have it, so it is written by hand; a test compares with what the generated types make. */
export interface MeshTls {
  readonly context: MeshContext;
  readonly subjects: readonly string[];
  readonly serverName: string;
}

export function meshTlsSocket(tls: MeshTls): MessageInitShape<typeof TransportSocketSchema> {
  const common = fragment(
    CommonTlsContextSchema,
    encodeBy((writer) => writeCommon(writer, tls)),
  );
  return upstreamTlsSocket(common, tls.serverName);
}

/** The fields of an Any of it. UpstreamTlsContext: common_tls_context = 1, sni = 2. */
export function writeMeshTls(writer: Writer, tls: MeshTls): void {
  const mark = writer.size;
  writeText(writer, tls.serverName, 0x12);
  const context = writer.size;
  writeCommon(writer, tls);
  closeMessage(writer, context, 0x0a);
  writeAnyAround(writer, UpstreamTlsContextSchema, mark);
}

/**
 * CommonTlsContext.combined_validation_context = 8: default_validation_context = 1, the roots; CertificateValidationContext.match_subject_alt_names = 9,
 * each a StringMatcher: exact = 1.
 */
function writeCommon(writer: Writer, { context, subjects }: MeshTls): void {
  const combined = writer.size;
  writer.raw(context.roots);
  const check = writer.size;
  for (let index = subjects.length - 1; index >= 0; index--) {
    const subject = writer.size;
    writer.string(subjects[index] as string);
    writer.byte(0x0a);
    closeMessage(writer, subject, 0x4a);
  }
  closeMessage(writer, check, 0x0a);
  closeMessage(writer, combined, 0x42);
  writer.raw(context.first);
}
