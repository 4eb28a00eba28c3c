import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { groupBy } from "#core/lib/group.ts";
import { expandHost, hostsMatch, isWildcard } from "#core/lib/hostname.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { Service } from "#core/model/service.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { isVisible } from "../export-to.ts";
import { diagnose } from "./diagnose.ts";

type VirtualServiceObject = SourceObject<"VirtualService">;

/**
 * Hosts that a Sidecar imports by name, but that nothing has: a mistyped name imports nothing, silently. Istio has no analysis of this; what it does is in
 * `model/sidecar.go`. Wildcards may stand for what is yet to come.
 */
export const checkEgressHosts = memoize(
  (
    sidecars: readonly SourceObject<"Sidecar">[],
    services: readonly Service[],
    rules: readonly VirtualServiceObject[],
    config: MeshConfig,
  ): readonly Diagnostic[] => {
    if (sidecars.length === 0) return [];
    const isServed = servedHosts(services);
    const isRuled = ruledHosts(rules, config);
    return sidecars.flatMap((sidecar) =>
      namedHosts(sidecar).flatMap(({ host, namespace, field }) => {
        if (isServed(host, namespace, sidecar.key.namespace) || isRuled(host, namespace)) return [];
        const where = namespace === "*" ? "in any namespace" : `in namespace ${namespace}`;
        const message = `imports "${host}", which no Service, ServiceEntry or VirtualService ${where} has that it can see: nothing is imported; names are in full`;
        return diagnose(sidecar, { severity: "warning", code: "IST0101", field, message });
      }),
    );
  },
);

interface NamedHost {
  readonly host: string;
  /** `*`: any. */
  readonly namespace: string;
  readonly field: string;
}

/** Hosts that are imported by name, not by a wildcard. */
function namedHosts({ key, spec }: SourceObject<"Sidecar">): readonly NamedHost[] {
  const entries = spec.egress.flatMap(({ hosts }, listener) =>
    hosts.map((text, index) => ({ text, field: `spec.egress[${listener}].hosts[${index}]` })),
  );
  return entries.flatMap(({ text, field }) => {
    const [place = "", host = ""] = text.split("/");
    if (place.startsWith("~") || host === "" || isWildcard(host)) return [];
    return [{ host, namespace: place === "." ? key.namespace : place, field }];
  });
}

/** Is there a service of a namespace (`*`: of any) with the host, for clients of another? */
type ServedHosts = (host: string, namespace: string, client: string) => boolean;

const servedHosts = memoize((services: readonly Service[]): ServedHosts => {
  const exact = groupBy(services, ({ host }) => host);
  const wildcards = services.filter(({ host }) => isWildcard(host));
  return (host, namespace, client) =>
    [...(exact.get(host) ?? []), ...wildcards.filter((one) => hostsMatch(one.host, host))].some(
      (service) => (namespace === "*" || service.namespace === namespace) && isVisible(service.exportTo, client),
    );
});

/** Which VirtualServices a client sees does not matter for a hint. */
function ruledHosts(rules: readonly VirtualServiceObject[], { domainSuffix }: MeshConfig): (host: string, namespace: string) => boolean {
  return (host, namespace) =>
    rules.some(
      ({ key, spec }) =>
        (namespace === "*" || key.namespace === namespace) &&
        spec.hosts.some((own) => hostsMatch(expandHost(own, key.namespace, domainSuffix), host)),
    );
}
