import type { Resource } from "#core/edition/resource.ts";
import { compareText } from "#core/lib/compare.ts";
import { groupBy } from "#core/lib/group.ts";
import { resolveSecret, type SecretClient } from "#core/model/resolve/gateways/secrets.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import { secretResource, type WantedSecret } from "#core/translate/secrets.ts";

/** Of proxies that no Gateway speaks for. */
export const NOTHING_GRANTED: ReadonlySet<string> = new Set();

/** The secrets that are wanted, each once, as far as they exist and the client may have them. */
export function secretsFor(mesh: ResolvedMesh, wanted: readonly WantedSecret[], client: SecretClient): readonly Resource[] {
  const byName = groupBy(wanted, ({ name }) => name);
  return [...byName]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([name, namers]) => {
      const secret = resolveSecret(mesh.inventory, name, client);
      if (secret === undefined) return [];
      return [
        secretResource(
          secret,
          namers.flatMap(({ from }) => from),
        ),
      ];
    });
}
