import type { Resource } from "#core/edition/resource.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import { resolveSecret, type SecretClient } from "#core/model/resolve/secrets.ts";
import { secretResource } from "#core/translate/secrets.ts";

/** Of proxies that no Gateway speaks for. */
export const NOTHING_GRANTED: ReadonlySet<string> = new Set();

/** The secrets of these names, as far as they exist and the client may have them. */
export function secretsFor(mesh: ResolvedMesh, names: readonly string[], client: SecretClient): readonly Resource[] {
  return [...new Set(names)].sort().flatMap((name) => {
    const secret = resolveSecret(mesh.inventory, name, client);
    return secret === undefined ? [] : [secretResource(secret)];
  });
}
