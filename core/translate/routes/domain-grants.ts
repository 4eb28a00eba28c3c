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
  const taken = new Set<string>();
  const take = ({ domains, keys, expanded }: HostLabel, index: number): boolean => {
    const domain = domains[index] as string;
    if (registered.has(domain) && expanded.has(domain)) return false;
    const before = taken.size;
    taken.add(keys[index] as string);
    return taken.size > before;
  };
  return (label, port) => {
    if (names.has(label.name)) return undefined;
    names.add(label.name);
    const { domains } = label;
    const left: string[] = [];
    for (let index = 0; index < domains.length; index++) {
      const domain = domains[index] as string;
      if (take(label, index) && (!everyPort || port === 80 || domain.includes(":"))) left.push(domain);
    }
    if (left.length === 0) return undefined;
    return left.length === domains.length ? label : internLabel({ name: label.name, domains: left });
  };
}
