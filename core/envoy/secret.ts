import { encodeAny } from "#core/lib/protobuf/encode.ts";
import { SecretSchema } from "#proto/envoy/extensions/transport_sockets/tls/v3/secret_pb.js";

/** A complete Any: a certificate with its key, both PEM. */
export function encodeCertificateSecret(name: string, chain: Uint8Array, key: Uint8Array, staple?: Uint8Array): Uint8Array {
  const value = { certificateChain: inline(chain), privateKey: inline(key), ...(staple && { ocspStaple: inline(staple) }) };
  return encodeAny(SecretSchema, { name, type: { case: "tlsCertificate", value } });
}

/** A complete Any: who vouches for others, and whom no longer, both PEM. */
export function encodeRootsSecret(name: string, roots: Uint8Array, revoked?: Uint8Array): Uint8Array {
  const value = { trustedCa: inline(roots), ...(revoked && { crl: inline(revoked) }) };
  return encodeAny(SecretSchema, { name, type: { case: "validationContext", value } });
}

function inline(bytes: Uint8Array) {
  return { specifier: { case: "inlineBytes", value: bytes } } as const;
}
