import { compareText } from "#core/lib/compare.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { gathered } from "#core/lib/gathered.ts";
import { expandHost, hostsMatch, isWildcard } from "#core/lib/hostname.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { compareAge } from "../age.ts";
import { resolveExportTo } from "../export-to.ts";
import { diagnose, listText, localName } from "./diagnose.ts";

type VirtualServiceObject = SourceObject<"VirtualService">;

/** A host of a VirtualService for sidecars. */
interface MeshHost {
  readonly object: VirtualServiceObject;
  readonly host: string;
  readonly field: string;
}

type HostsOfScope = Map<string, MeshHost[]>;

/**
 * VirtualServices for sidecars that have the same host for the same clients: only the oldest counts there
 * (istio `analyzers/virtualservice/conflictingmeshgatewayhosts.go`). Each is told of once.
 */
export const checkMeshHosts = memoize((objects: readonly VirtualServiceObject[], config: MeshConfig): readonly Diagnostic[] => {
  if (canNotMeet(claimedHosts(objects, config))) return [];
  const told = new Map<VirtualServiceObject, readonly Diagnostic[]>();
  for (const rivals of rivalries(hostsByScope(objects, config))) {
    for (const one of rivals) if (!told.has(one.object)) told.set(one.object, conflict(one, rivals));
  }
  return [...told.values()].flat();
});

const claimedHosts = gathered((object: VirtualServiceObject, config: MeshConfig): readonly string[] =>
  claimOf(object, config).hosts.map(({ host }) => host),
);

/** As nearly always: every host stands once, and none covers others. */
const canNotMeet = memoize((hosts: readonly string[]): boolean => new Set(hosts).size === hosts.length && !hosts.some(isWildcard));

function hostsByScope(objects: readonly VirtualServiceObject[], config: MeshConfig): ReadonlyMap<string, HostsOfScope> {
  const scopes = new Map<string, HostsOfScope>();
  for (const object of objects) {
    const { hosts, seenFrom } = claimOf(object, config);
    for (const scope of seenFrom) for (const one of hosts) put(scopes, scope, one);
  }
  return scopes;
}

/** Hosts that meet, in order of who sees them and of their names. */
function rivalries(scopes: ReadonlyMap<string, HostsOfScope>): readonly (readonly MeshHost[])[] {
  const everywhere: HostsOfScope = scopes.get("*") ?? new Map();
  const found: (readonly [place: string, rivals: readonly MeshHost[]])[] = [];
  for (const [scope, byHost] of scopes) {
    for (const [host, own] of byHost) {
      const rivals = scope === "*" ? own : [...own, ...matching(everywhere, host)];
      if (conflicting(rivals)) found.push([`${scope} ${host}`, rivals]);
    }
  }
  return found.sort(([a], [b]) => compareText(a, b)).map(([, rivals]) => rivals);
}

interface HostClaim {
  readonly hosts: readonly MeshHost[];
  /** Namespaces, or `*`; none for what sidecars don't see. */
  readonly seenFrom: readonly string[];
}

const claimOf = memoize((object: VirtualServiceObject, config: MeshConfig): HostClaim => {
  const { key, spec } = object;
  const hosts = spec.hosts.map((short, index) => ({
    object,
    host: expandHost(short, key.namespace, config.domainSuffix),
    field: `spec.hosts[${index}]`,
  }));
  return { hosts, seenFrom: isForSidecars(object) ? scopesOf(object, config) : [] };
});

function isForSidecars({ spec }: VirtualServiceObject): boolean {
  return spec.gateways.length === 0 || spec.gateways.includes("mesh");
}

function scopesOf({ key, spec }: VirtualServiceObject, config: MeshConfig): readonly string[] {
  const exportTo = resolveExportTo(spec.exportTo.length > 0 ? spec.exportTo : config.defaultVirtualServiceExportTo, key.namespace);
  if (exportTo.kind === "none") return [];
  return exportTo.kind === "public" ? ["*"] : exportTo.namespaces;
}

function put(scopes: Map<string, HostsOfScope>, scope: string, one: MeshHost): void {
  const byHost = scopes.get(scope) ?? new Map<string, MeshHost[]>();
  scopes.set(scope, byHost);
  const known = byHost.get(one.host);
  if (known === undefined) byHost.set(one.host, [one]);
  else known.push(one);
}

/** Those that everybody sees meet a namespace's own where their names have anything in common. */
function matching(everywhere: HostsOfScope, host: string): readonly MeshHost[] {
  const names = isWildcard(host) ? [...everywhere.keys()] : [host, ...[...everywhere.keys()].filter(isWildcard)];
  return names.filter((name) => hostsMatch(host, name)).flatMap((name) => everywhere.get(name) ?? []);
}

function conflicting([first, ...others]: readonly MeshHost[]): boolean {
  return others.some(({ object }) => object !== first?.object);
}

function conflict({ object, host, field }: MeshHost, rivals: readonly MeshHost[]): readonly Diagnostic[] {
  const all = [...new Set(rivals.map((one) => one.object))].sort(compareAge);
  const others = all.filter((one) => one !== object).map((one) => `VirtualService ${localName(one)}`);
  const winner = all[0] === object ? "this one, the oldest, counts" : `the oldest, ${localName(all[0] as VirtualServiceObject)}, counts`;
  const message = `"${host}" is also a host of ${listText(others)}: of those that a sidecar sees ${winner}; merge them into one`;
  return diagnose(object, { severity: "error", code: "IST0109", field, message });
}
