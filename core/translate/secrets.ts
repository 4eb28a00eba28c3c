import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { encodeCertificateFilesSecret, encodeCertificateSecret, encodeRootsFileSecret, encodeRootsSecret } from "#core/envoy/secret.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Secret, SecretContent } from "#core/model/secret.ts";

/** A secret by name, and the objects that make the proxy ask for it. */
export interface WantedSecret {
  readonly name: string;
  readonly from: readonly ObjectKey[];
}

/**
 * A secret that listeners or clusters name. Its bytes are private, unless it is made of paths: they leave the process only over a stream to whom they belong,
 * or sealed.
 */
export function secretResource({ name, content, sources }: Secret, from: readonly ObjectKey[]): Resource {
  return makeResource("secrets", name, encodeSecret(name, content), NO_NEEDS, [...new Set([...sources, ...from])]);
}

function encodeSecret(name: string, content: SecretContent): Uint8Array {
  switch (content.kind) {
    case "certificate":
      return encodeCertificateSecret(name, content.chain, content.key, content.staple);
    case "roots":
      return encodeRootsSecret(name, content.roots, content.revoked);
    case "certificate-files":
      return encodeCertificateFilesSecret(name, content.chain, content.key);
    case "roots-file":
      return encodeRootsFileSecret(name, content.roots);
  }
}
