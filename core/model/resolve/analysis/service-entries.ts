import { compareText } from "#core/lib/compare.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { type Allocations, allocationKey } from "../services/auto-addresses.ts";
import { diagnose, listText, localName } from "./diagnose.ts";
import type { MeshFacts } from "./mesh-facts.ts";

type EntryObject = SourceObject<"ServiceEntry">;

/**
 * TCP ports of ServiceEntries without addresses: a sidecar can only tell them from others by their number (istio `analyzers/serviceentry/protocoladdresses.go`).
 * Addresses that are allocated, here or by a proxy, will do.
 */
export const checkEntryAddresses = memoize(
  (entries: readonly EntryObject[], { allocatesAddresses }: MeshFacts, allocations: Allocations): readonly Diagnostic[] => {
    if (allocatesAddresses) return [];
    return entries.flatMap((object) => {
      const { entry, status } = object.spec;
      const allocated = entry.hosts.every((host) => allocations[allocationKey(object.key.namespace, host)] !== undefined);
      if (entry.addresses.length > 0 || allocated || (status?.addresses.length ?? 0) > 0) return [];
      return entry.ports.flatMap(({ number, protocol }, index) => {
        if (protocol !== "" && protocol.toUpperCase() !== "TCP") return [];
        const message = `port ${number} carries TCP, but the entry has no addresses: its traffic is told from that of others by the port alone; give it addresses`;
        return diagnose(object, { severity: "warning", code: "IST0134", field: `spec.ports[${index}].name`, message });
      });
    });
  },
);

interface DeclaredPort {
  readonly object: EntryObject;
  readonly protocol: string;
  readonly field: string;
}

/** One port of one host that ServiceEntries give different protocols (istio `analyzers/serviceentry/conflictingserviceentries.go`). Each is told of once. */
export const checkEntryProtocols = memoize((entries: readonly EntryObject[]): readonly Diagnostic[] => {
  const declared = new Map<string, DeclaredPort[]>();
  for (const object of entries) for (const [key, port] of portsOf(object)) declared.set(key, [...(declared.get(key) ?? []), port]);
  const told = new Map<EntryObject, readonly Diagnostic[]>();
  for (const [key, own] of [...declared].sort(([a], [b]) => compareText(a, b))) {
    const [scope, place = ""] = key.split(" ", 2);
    const rivals = scope === "*" ? own : [...own, ...(declared.get(`* ${place}`) ?? [])];
    if (new Set(rivals.map(({ protocol }) => protocol)).size < 2) continue;
    for (const port of rivals) if (!told.has(port.object)) told.set(port.object, conflict(port, place, rivals));
  }
  return [...told.values()].flat();
});

/** By who sees it, host and port. */
function portsOf(object: EntryObject): readonly (readonly [string, DeclaredPort])[] {
  const { entry } = object.spec;
  const own = entry.exportTo.map((scope) => (scope === "." ? object.key.namespace : scope));
  const scopes = own.length === 0 || own.includes("*") ? ["*"] : [...new Set(own)];
  return scopes.flatMap((scope) =>
    entry.hosts.flatMap((host) =>
      entry.ports.map(({ number, protocol }, index): readonly [string, DeclaredPort] => [
        `${scope} ${host}:${number}`,
        { object, protocol: protocol.toUpperCase(), field: `spec.ports[${index}].protocol` },
      ]),
    ),
  );
}

function conflict({ object, protocol, field }: DeclaredPort, place: string, rivals: readonly DeclaredPort[]): readonly Diagnostic[] {
  const others = rivals.filter((rival) => rival.protocol !== protocol).map((rival) => `${rival.protocol || "none"} in ${localName(rival.object)}`);
  const message = `${place} has protocol ${protocol || "none"} here, but ${listText([...new Set(others)].sort())}: give it one protocol`;
  return diagnose(object, { severity: "warning", code: "IST0177", field, message });
}
