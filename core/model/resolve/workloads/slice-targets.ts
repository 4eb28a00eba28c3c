import { interner } from "#core/lib/intern.ts";
import { lookUp } from "#core/lib/trie.ts";
import type { AddressTarget } from "#core/node/directory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { UNJUDGED } from "../endpoints/mtls-verdict.ts";
import { sliceEndpoints } from "../endpoints/slice-endpoints.ts";
import { type PodRegistry, slicingServices } from "../registry/registry.ts";
import { kubeHost } from "../services/kube-services.ts";

const NONE: readonly AddressTarget[] = [];
const internTargets = interner<readonly AddressTarget[]>();

/**
 * The service ports whose slices list the first address of a Pod: how the targets of a Pod are found that no Service selects, behind a Service without
 * selector (istio `kube/controller/endpointslice.go` GetProxyServiceTargets).
 */
export function sliceTargets(pod: SourceObject<"Pod">, registry: PodRegistry): readonly AddressTarget[] {
  const { namespace } = pod.key;
  const address = pod.spec.podIP;
  const services = slicingServices(registry, pod)
    .filter((service) => service.startsWith(`${namespace}/`))
    .sort();
  if (services.length === 0) return NONE;
  const targets = services.flatMap((id): readonly AddressTarget[] => {
    const service = registry.services.get(id);
    if (service === undefined) return NONE;
    const host = kubeHost(service.key.name, namespace, registry.place.domainSuffix);
    const own = sliceEndpoints(lookUp(registry.slices, id) ?? [], { drains: true, registry, mtls: UNJUDGED }).filter(
      (endpoint) => endpoint.address === address,
    );
    return own.flatMap(({ port: { servicePortName, number } }) => {
      const known = service.spec.ports.find((one) => one.name === servicePortName);
      return known === undefined ? [] : [{ registry: "Kubernetes", service: `${namespace}/${host}`, port: known.port, targetPort: number }];
    });
  });
  return targets.length === 0 ? NONE : internTargets(targets);
}
