import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { memoize } from "#core/lib/memo.ts";
import { formatObjectKey } from "#core/lib/object-key.ts";
import { isTcp, isTls } from "#core/model/protocol.ts";
import type { ExportTo, Service } from "#core/model/service.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { isVisible } from "../export-to.ts";
import { diagnose } from "./diagnose.ts";

type EntryObject = SourceObject<"ServiceEntry">;

/**
 * TCP ports of ServiceEntries without addresses that an older entry has too: a sidecar's listener for all addresses sends everything to the oldest
 * (istio `listener.go` buildSidecarOutboundListener). Where both keep the original destination it makes no difference.
 */
export const checkShadowedPorts = memoize((services: readonly Service[], entries: readonly EntryObject[]): readonly Diagnostic[] => {
  if (entries.length === 0) return [];
  const objects = new Map(entries.map((entry) => [formatObjectKey(entry.key), entry]));
  const claims = new Map<number, Service[]>();
  const told = new Set<string>();
  const found: Diagnostic[] = [];
  for (const service of services) {
    if (!listensEverywhere(service)) continue;
    const object = objects.get(objectOf(service));
    for (const { number } of service.ports.filter(({ protocol }) => isTcp(protocol) && !isTls(protocol))) {
      const earlier = claims.get(number) ?? [];
      claims.set(number, [...earlier, service]);
      const winner = earlier.find((other) => rivals(other, service));
      const id = `${objectOf(service)} ${number}`;
      if (winner === undefined || object === undefined || told.has(id)) continue;
      told.add(id);
      found.push(...shadowed(object, number, winner));
    }
  }
  return found;
});

/** Headless ones that select workloads have a listener for each. */
function listensEverywhere({ registry, resolution, defaultAddress, autoAddresses, selector }: Service): boolean {
  if (registry !== "External" || defaultAddress !== "0.0.0.0" || autoAddresses.v4 !== undefined || autoAddresses.v6 !== undefined) return false;
  return resolution !== "passthrough" || Object.keys(selector).length === 0;
}

function objectOf({ sources: [key] }: Service): string {
  return key === undefined ? "" : formatObjectKey(key);
}

function rivals(other: Service, service: Service): boolean {
  if (other.host === service.host || objectOf(other) === objectOf(service)) return false;
  return (other.resolution !== "passthrough" || service.resolution !== "passthrough") && seenTogether(other.exportTo, service.exportTo);
}

function seenTogether(a: ExportTo, b: ExportTo): boolean {
  if (a.kind === "none" || b.kind === "none") return false;
  if (a.kind === "public") return true;
  return b.kind === "public" || a.namespaces.some((namespace) => isVisible(b, namespace));
}

function shadowed(object: EntryObject, number: number, winner: Service): readonly Diagnostic[] {
  const index = object.spec.entry.ports.findIndex((port) => port.number === number);
  const message =
    `TCP to port ${number} goes to "${winner.host}" of ServiceEntry ${winner.namespace}/${winner.objectName}, which is older: sidecars can't tell the two ` +
    "apart; give both addresses, or ports of their own";
  return diagnose(object, { severity: "warning", code: "ALM0101", field: `spec.ports[${index}].number`, message });
}
