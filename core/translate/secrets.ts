import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { encodeCertificateSecret, encodeRootsSecret } from "#core/envoy/secret.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Secret } from "#core/model/secret.ts";

/** A secret by name, and the objects that make the proxy ask for it. */
export interface WantedSecret {
  readonly name: string;
  readonly from: readonly ObjectKey[];
}

/** A secret that listeners or clusters name. Its bytes are private: they leave the process only over a stream to whom they belong, or sealed. */
export function secretResource({ name, content, sources }: Secret, from: readonly ObjectKey[]): Resource {
  const bytes =
    content.kind === "certificate"
      ? encodeCertificateSecret(name, content.chain, content.key, content.staple)
      : encodeRootsSecret(name, content.roots, content.revoked);
  return makeResource("secrets", name, bytes, NO_NEEDS, [...new Set([...sources, ...from])]);
}
