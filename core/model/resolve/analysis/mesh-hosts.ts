import { compareText } from "#core/lib/compare.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { expandHost, hostsMatch, isWildcard } from "#core/lib/hostname.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { compareAge } from "../age.ts";
import { resolveExportTo } from "../export-to.ts";
import { diagnose, listText, localName } from "./diagnose.ts";

type VirtualServiceObject = SourceObject<"VirtualService">;

/** A host of a VirtualService for sidecars, as one namespace sees it (`*`: as all do). */
interface MeshHost {
  readonly object: VirtualServiceObject;
  readonly host: string;
  readonly field: string;
}

/**
 * VirtualServices for sidecars that have the same host for the same clients: only the oldest counts there
 * (istio `analyzers/virtualservice/conflictingmeshgatewayhosts.go`). Each is told of once.
 */
export const checkMeshHosts = memoize((objects: readonly VirtualServiceObject[], config: MeshConfig): readonly Diagnostic[] => {
  const scopes = new Map<string, Map<string, MeshHost[]>>();
  for (const object of objects) {
    if (!isForSidecars(object)) continue;
    for (const scope of scopesOf(object, config)) addHosts(object, scope, scopes, config);
  }
  const everywhere = scopes.get("*") ?? new Map<string, MeshHost[]>();
  const told = new Map<VirtualServiceObject, readonly Diagnostic[]>();
  for (const [scope, byHost] of sorted(scopes)) {
    for (const [host, own] of sorted(byHost)) {
      const rivals = scope === "*" ? own : [...own, ...matching(everywhere, host)];
      for (const one of conflicting(rivals)) if (!told.has(one.object)) told.set(one.object, conflict(one, rivals));
    }
  }
  return [...told.values()].flat();
});

function isForSidecars({ spec }: VirtualServiceObject): boolean {
  return spec.gateways.length === 0 || spec.gateways.includes("mesh");
}

function scopesOf({ key, spec }: VirtualServiceObject, config: MeshConfig): readonly string[] {
  const exportTo = resolveExportTo(spec.exportTo.length > 0 ? spec.exportTo : config.defaultVirtualServiceExportTo, key.namespace);
  if (exportTo.kind === "none") return [];
  return exportTo.kind === "public" ? ["*"] : exportTo.namespaces;
}

function addHosts(object: VirtualServiceObject, scope: string, scopes: Map<string, Map<string, MeshHost[]>>, config: MeshConfig): void {
  const byHost = scopes.get(scope) ?? new Map<string, MeshHost[]>();
  scopes.set(scope, byHost);
  for (const [index, short] of object.spec.hosts.entries()) {
    const host = expandHost(short, object.key.namespace, config.domainSuffix);
    const known = byHost.get(host) ?? [];
    byHost.set(host, known);
    known.push({ object, host, field: `spec.hosts[${index}]` });
  }
}

/** Those that everybody sees meet a namespace's own where their names have anything in common. */
function matching(everywhere: ReadonlyMap<string, readonly MeshHost[]>, host: string): readonly MeshHost[] {
  const names = [...everywhere.keys()].filter((name) => (isWildcard(host) || isWildcard(name) ? hostsMatch(host, name) : host === name));
  return names.flatMap((name) => everywhere.get(name) ?? []);
}

function conflicting(rivals: readonly MeshHost[]): readonly MeshHost[] {
  return new Set(rivals.map(({ object }) => object)).size > 1 ? rivals : [];
}

function conflict({ object, host, field }: MeshHost, rivals: readonly MeshHost[]): readonly Diagnostic[] {
  const all = [...new Set(rivals.map((one) => one.object))].sort(compareAge);
  const others = all.filter((one) => one !== object).map((one) => `VirtualService ${localName(one)}`);
  const winner = all[0] === object ? "this one, the oldest, counts" : `the oldest, ${localName(all[0] as VirtualServiceObject)}, counts`;
  const message = `"${host}" is also a host of ${listText(others)}: of those that a sidecar sees ${winner}; merge them into one`;
  return diagnose(object, { severity: "error", code: "IST0109", field, message });
}

function sorted<V>(map: ReadonlyMap<string, V>): readonly (readonly [string, V])[] {
  return [...map].sort(([a], [b]) => compareText(a, b));
}
