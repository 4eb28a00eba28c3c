import { ByteWriter } from "#core/lib/byte-writer.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { memoize } from "#core/lib/memo.ts";
import { isPrivate, type Resource, writeResource } from "./resource.ts";
import { type Sealer, sealRecord } from "./sealer.ts";

/** A resource that is stored sealed; `digest` is keyed. */
export interface Sealed extends Resource {
  readonly sealed: Uint8Array;
}

/**
 * Readies secrets for layers: each is sealed and named by a keyed digest. Without a sealer they are left out, since private keys are never stored in the clear,
 * and a Diagnostic for each says so. Other resources pass.
 */
export function sealSecrets(
  resources: readonly Resource[],
  sealer: Sealer | undefined,
): { resources: readonly Resource[]; diagnostics: readonly Diagnostic[] } {
  const secrets = resources.filter(isPrivate);
  if (secrets.length === 0) return { resources, diagnostics: [] };
  if (sealer === undefined) return { resources: resources.filter((resource) => !isPrivate(resource)), diagnostics: secrets.map(unpublished) };
  return { resources: resources.map((resource) => (isPrivate(resource) ? sealResource(resource, sealer) : resource)), diagnostics: [] };
}

const sealResource = memoize((resource: Resource, sealer: Sealer): Sealed => {
  const writer = new ByteWriter();
  writeResource(resource, writer);
  const digest = sealer.digest(writer.view());
  return { ...resource, digest, sealed: sealRecord(writer.view(), digest, sealer) };
});

function unpublished(resource: Resource): Diagnostic {
  const key = resource.from[0] ?? { cluster: "", kind: "Secret", namespace: "", name: resource.name };
  const message = `secret ${resource.name} is not published: there is no seal key (ALMANAC_SEAL_KEY or ALMANAC_SEAL_KEY_FILE)`;
  return { severity: "error", code: "ALM0601", check: "analysis", refused: false, key, field: "", message };
}
