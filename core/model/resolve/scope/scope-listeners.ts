import { keyed } from "#core/lib/keyed.ts";
import { memoize } from "#core/lib/memo.ts";
import type { Service } from "#core/model/service.ts";
import type { Sidecar, SidecarPort } from "#core/model/sidecar.ts";
import type { VirtualService } from "#core/model/virtual-service.ts";
import { importedRules, visibleRules } from "../rules/virtual-service-index.ts";
import { type ServiceIndex, serviceIndex } from "../services/service-index.ts";
import { type EgressHosts, egressHosts } from "./egress-hosts.ts";
import { defaultServices, egressServices } from "./egress-services.ts";

/** An egress listener with what it imports, before anything is known of the client but its namespace. */
export interface ScopeListener {
  /** As the Sidecar has it; absent for the one listener of a scope without any. */
  readonly spec?: Sidecar["egress"][number];
  /** The port that services must have; absent: their ports don't matter. */
  readonly port?: SidecarPort;
  readonly services: readonly Service[];
  readonly virtualServices: readonly VirtualService[];
}

/** The egress listeners of a Sidecar, or the one that imports everything visible, for clients of a namespace. */
export function scopeListeners(
  mesh: { readonly services: readonly Service[]; readonly virtualServices: readonly VirtualService[] },
  sidecar: Sidecar | undefined,
  namespace: string,
): readonly ScopeListener[] {
  const services = servicesOf(serviceIndex(mesh.services), sidecar)(namespace);
  const rules = rulesOf(mesh.virtualServices, sidecar)(namespace);
  const specs = sidecar === undefined || sidecar.egress.length === 0 ? [undefined] : sidecar.egress;
  return specs.map((spec, at) => {
    const port = spec === undefined ? undefined : matchedPort(spec.port);
    return {
      ...(spec === undefined ? {} : { spec }),
      ...(port === undefined ? {} : { port }),
      services: services[at] ?? [],
      virtualServices: rules[at] ?? [],
    };
  });
}

/** An HTTP_PROXY listener serves every port; a Unix socket (port 0) too (istio `model/sidecar.go` needsPortMatch). */
function matchedPort(port: SidecarPort | undefined): SidecarPort | undefined {
  return port === undefined || port.number === 0 || port.protocol === "HTTP_PROXY" ? undefined : port;
}

const hostsOf = memoize((sidecar: Sidecar) => {
  const remembered = keyed<readonly EgressHosts[]>();
  return (namespace: string) => remembered(namespace, () => sidecar.egress.map((listener) => egressHosts(listener.hosts, namespace)));
});

const servicesOf = memoize((index: ServiceIndex, sidecar: Sidecar | undefined) => {
  const remembered = keyed<readonly (readonly Service[])[]>();
  return (namespace: string) =>
    remembered(namespace, () => {
      if (sidecar === undefined || sidecar.egress.length === 0) return [defaultServices(index, namespace)];
      return hostsOf(sidecar)(namespace).map((hosts, at) => {
        const port = matchedPort(sidecar.egress[at]?.port);
        return egressServices(index, { namespace, hosts, ...(port === undefined ? {} : { port }) });
      });
    });
});

const rulesOf = memoize((rules: readonly VirtualService[], sidecar: Sidecar | undefined) => {
  const remembered = keyed<readonly (readonly VirtualService[])[]>();
  return (namespace: string) =>
    remembered(namespace, () => {
      const visible = visibleRules(rules, namespace, "mesh");
      if (sidecar === undefined || sidecar.egress.length === 0) return [visible];
      return hostsOf(sidecar)(namespace).map((hosts) => importedRules(visible, hosts));
    });
});
