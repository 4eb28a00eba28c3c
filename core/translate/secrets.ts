import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { encodeCertificateSecret, encodeRootsSecret } from "#core/envoy/secret.ts";
import type { Secret } from "#core/model/secret.ts";

/** A secret that listeners or clusters name. Its bytes are private: they leave the process only over a stream to whom they belong, or sealed. */
export function secretResource({ name, content, sources }: Secret): Resource {
  const bytes =
    content.kind === "certificate"
      ? encodeCertificateSecret(name, content.chain, content.key, content.staple)
      : encodeRootsSecret(name, content.roots, content.revoked);
  return makeResource("secrets", name, bytes, NO_NEEDS, sources);
}
