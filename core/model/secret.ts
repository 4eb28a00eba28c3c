import type { ObjectKey } from "#core/lib/object-key.ts";

/** What a secret that a proxy asks for holds. */
export type SecretContent = CertificateSecret | RootsSecret | CertificateFilesSecret | RootsFileSecret;

/** Paths of a certificate and its key in the proxy's own file system: nothing secret. */
export interface CertificateFilesSecret {
  readonly kind: "certificate-files";
  readonly chain: string;
  readonly key: string;
}

/** Likewise of those who vouch for others. */
export interface RootsFileSecret {
  readonly kind: "roots-file";
  readonly roots: string;
}

/** A certificate with its key, both PEM. */
export interface CertificateSecret {
  readonly kind: "certificate";
  readonly chain: Uint8Array;
  readonly key: Uint8Array;
  /** OCSP staple. */
  readonly staple?: Uint8Array;
}

/** Who vouches for others, and whom no longer, both PEM. */
export interface RootsSecret {
  readonly kind: "roots";
  readonly roots: Uint8Array;
  readonly revoked?: Uint8Array;
}

/** A secret under the name by which proxies ask for it. */
export interface Secret {
  readonly name: string;
  readonly content: SecretContent;
  readonly sources: readonly ObjectKey[];
}
