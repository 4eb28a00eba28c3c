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

/** The same from files of the proxy's. They are read again when their folder changes, as a mounted volume does. */
export function encodeCertificateFilesSecret(name: string, chain: string, key: string): Uint8Array {
  const value = { certificateChain: file(chain), privateKey: file(key), watchedDirectory: { path: folderOf(chain) } };
  return encodeAny(SecretSchema, { name, type: { case: "tlsCertificate", value } });
}

export function encodeRootsFileSecret(name: string, roots: string): Uint8Array {
  const value = { trustedCa: file(roots), watchedDirectory: { path: folderOf(roots) } };
  return encodeAny(SecretSchema, { name, type: { case: "validationContext", value } });
}

function file(path: string) {
  return { specifier: { case: "filename", value: path } } as const;
}

function folderOf(path: string): string {
  const at = path.lastIndexOf("/");
  return at < 0 ? "." : at === 0 ? "/" : path.slice(0, at);
}

function inline(bytes: Uint8Array) {
  return { specifier: { case: "inlineBytes", value: bytes } } as const;
}
