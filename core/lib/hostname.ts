import { isAddress } from "./address.ts";
import { compareText } from "./compare.ts";

/** Host names as Istio compares them (istio `pkg/config/host/name.go`): exact, or a wildcard that starts with `*`. Case matters. */

export function isWildcard(host: string): boolean {
  return host.startsWith("*");
}

/** Is there a name that both cover? Works in both directions: `*.com` matches `a.com` and `a.com` matches `*.com`. */
export function hostsMatch(a: string, b: string): boolean {
  if (isWildcard(a)) {
    if (!isWildcard(b)) return endsWithTail(b, a);
    return a.length < b.length ? endsWithTail(b, a) : endsWithTail(a, b);
  }
  return isWildcard(b) ? endsWithTail(a, b) : a === b;
}

/** Does `outer` cover everything that `inner` covers? */
export function isSubsetOf(inner: string, outer: string): boolean {
  if (isWildcard(inner)) return isWildcard(outer) && inner.length >= outer.length && endsWithTail(inner, outer);
  return isWildcard(outer) ? endsWithTail(inner, outer) : inner === outer;
}

/** Orders host names from most to least specific: exact ones first, then longer before shorter, then by text (istio `host.MoreSpecific`). */
export function compareSpecificity(a: string, b: string): number {
  const wild = Number(isWildcard(a)) - Number(isWildcard(b));
  if (wild !== 0) return wild;
  return a.length === b.length ? compareText(a, b) : b.length - a.length;
}

/** A host name in full: one without a dot belongs to `namespace` (istio `model.ResolveShortnameToFQDN`). */
export function expandHost(host: string, namespace: string, domainSuffix: string): string {
  if (host === "" || host === "*" || host.includes(".") || isAddress(host)) return host;
  const local = namespace === "" ? host : `${host}.${namespace}`;
  return domainSuffix === "" ? local : `${local}.svc.${domainSuffix}`;
}

/** Does `host` end with what follows the `*` of `wildcard`? `host` may itself be a wildcard: then its own `*` doesn't count. */
function endsWithTail(host: string, wildcard: string): boolean {
  const tail = wildcard.slice(1);
  return isWildcard(host) ? host.slice(1).endsWith(tail) : host.endsWith(tail);
}
