import { hostsMatch, isSubsetOf, isWildcard } from "#core/lib/hostname.ts";

/** The hosts that a Sidecar's egress listener imports from one namespace (istio `model/sidecar.go` hostClassification). */
export interface ImportedHosts {
  readonly exact: ReadonlySet<string>;
  readonly all: readonly string[];
  readonly excluded: readonly string[];
}

export interface EgressHosts {
  /** `*` stands for every namespace. */
  readonly byNamespace: ReadonlyMap<string, ImportedHosts>;
  /** Each entry names one host of one namespace. */
  readonly exactOnly: boolean;
}

/**
 * Reads `namespace/host` entries: `.` is the client's namespace, `*` every one, `~namespace/host` leaves out again (`~/host`: everywhere).
 * Entries without exactly one slash are refused by validation and mean nothing.
 */
export function egressHosts(texts: readonly string[], clientNamespace: string): EgressHosts {
  const entries = texts.flatMap((text) => readEntry(text, clientNamespace));
  const imports = entries.filter((entry) => !entry.excludes);
  const hostsOf = (namespace: string): ImportedHosts => {
    const all = imports.filter((entry) => entry.namespace === namespace).map((entry) => entry.host);
    const excluded = entries.filter((entry) => entry.excludes && entry.namespace === namespace).map((entry) => entry.host);
    return { exact: new Set(all.filter((host) => !isWildcard(host))), all, excluded };
  };
  return {
    byNamespace: new Map(entries.map(({ namespace }) => [namespace, hostsOf(namespace)])),
    exactOnly: imports.every(({ namespace, host }) => namespace !== "*" && !isWildcard(host)),
  };
}

interface EgressEntry {
  readonly namespace: string;
  readonly host: string;
  readonly excludes: boolean;
}

function readEntry(text: string, clientNamespace: string): readonly EgressEntry[] {
  const [place = "", host, ...more] = text.split("/");
  if (host === undefined || more.length > 0) return [];
  const excludes = place.startsWith("~");
  const named = excludes ? place.slice(1) || "*" : place;
  return [{ namespace: named === "." ? clientNamespace : named, host, excludes }];
}

/** Is the host of a service imported: named, or within an imported wildcard? */
export function importsService(imported: ImportedHosts, host: string): boolean {
  if (imported.exact.has(host)) return true;
  const wild = isWildcard(host);
  return imported.all.some((candidate) => (wild || isWildcard(candidate)) && isSubsetOf(host, candidate));
}

/** Is the host of a VirtualService imported? Wildcards count in both directions here: `*.com` is imported by `a.com`. */
export function importsRule(imported: ImportedHosts, host: string): boolean {
  if (imported.exact.has(host)) return true;
  const wild = isWildcard(host);
  return imported.all.some((candidate) => (wild || isWildcard(candidate)) && hostsMatch(host, candidate));
}

/** Is a host of an object of `namespace` left out again, there or everywhere? */
export function isExcluded(hosts: EgressHosts, namespace: string, host: string): boolean {
  return excludes(hosts.byNamespace.get(namespace), host) || excludes(hosts.byNamespace.get("*"), host);
}

function excludes(imported: ImportedHosts | undefined, host: string): boolean {
  return imported?.excluded.some((excluded) => isSubsetOf(host, excluded)) ?? false;
}
