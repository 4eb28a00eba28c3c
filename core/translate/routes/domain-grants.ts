import { type HostLabel, internLabel, type Label } from "./domains.ts";

/** Gives a virtual host what is left of its domains; undefined: the name is taken, or nothing is left. */
export type Grant = (label: HostLabel, port: number) => Label | undefined;

/**
 * Grants domains to whoever asks first, whatever their case. A spelling of one host that is the name of another registered one stays with that
 * one, even if it asks later (istio `httproute.go` dedupeDomains). Where a listener serves every port, a bare name means port 80: virtual hosts
 * of other ports only keep domains with a port, though the bare ones stay theirs (`mergeAllVirtualHosts`).
 */
export function grants(registered: ReadonlySet<string>, everyPort: boolean): Grant {
  const names = new Set<string>();
  const domains = new Set<string>();
  const free = ({ expanded }: HostLabel, domain: string) => {
    const key = domain.toLowerCase();
    if (domains.has(key) || (expanded.has(domain) && registered.has(domain))) return false;
    domains.add(key);
    return true;
  };
  return (label, port) => {
    if (names.has(label.name)) return undefined;
    names.add(label.name);
    const left = label.domains.filter((domain) => free(label, domain)).filter((domain) => !everyPort || port === 80 || domain.includes(":"));
    if (left.length === 0) return undefined;
    return left.length === label.domains.length ? label : internLabel({ name: label.name, domains: left });
  };
}
