import { compareSpecificity, isWildcard } from "./hostname.ts";

/** Values by host name, found by the most specific name that covers a host (istio `model.MostSpecificHostMatch`). */
export interface HostIndex<V> {
  readonly exact: ReadonlyMap<string, V>;
  /** Most specific first. */
  readonly wildcards: readonly { readonly host: string; readonly value: V }[];
}

/** An index of values by host, wildcards included. */
export function hostIndex<V>(entries: Iterable<readonly [string, V]>): HostIndex<V> {
  const exact = new Map<string, V>();
  const wildcards: { host: string; value: V }[] = [];
  for (const [host, value] of entries) {
    if (isWildcard(host)) wildcards.push({ host, value });
    else exact.set(host, value);
  }
  wildcards.sort((a, b) => compareSpecificity(a.host, b.host));
  return { exact, wildcards };
}

/** The value of the most specific name that covers `host`; a wildcard host is only covered by itself and wider wildcards. */
export function mostSpecific<V>(index: HostIndex<V>, host: string): V | undefined {
  const wild = isWildcard(host);
  if (!wild) {
    const found = index.exact.get(host);
    if (found !== undefined) return found;
  }
  const name = wild ? host.slice(1) : host;
  for (const candidate of index.wildcards) {
    if (name.endsWith(candidate.host.slice(1))) return candidate.value;
  }
  return undefined;
}
