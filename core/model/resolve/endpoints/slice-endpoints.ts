import { keyed } from "#core/lib/keyed.ts";
import { NETWORK_LABEL } from "#core/lib/topology.ts";
import { lookUp } from "#core/lib/trie.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { Endpoint, EndpointPort, Health, WorkloadFacts } from "../../endpoint.ts";
import { networkOf } from "../registry/networks.ts";
import { type ClusterRegistry, findPod } from "../registry/registry.ts";
import { addressFacts, podFacts } from "../registry/workload-facts.ts";
import type { MtlsVerdict } from "./mtls-verdict.ts";

type Slice = SourceObject<"EndpointSlice">;
type SliceEndpoint = Slice["spec"]["endpoints"][number];

/** How slices are read. */
export interface SliceView {
  /** Endpoints on their way out may still be sent. */
  readonly drains: boolean;
  readonly registry: ClusterRegistry;
  readonly mtls: MtlsVerdict;
}

/**
 * The endpoints that a service's slices give it, slice by slice in order of their names; of two with one address and port name the first stays
 * (istio `kube/controller/endpointslice.go`).
 */
export function sliceEndpoints(slices: readonly Slice[], view: SliceView): readonly Endpoint[] {
  const seen = keyed<Set<string>>();
  const found: Endpoint[] = [];
  for (const slice of slices) addEndpoints(found, slice, view, portsOf(slice, seen));
  return found;
}

/** A port of a slice, and the addresses that its name has already. */
interface SeenPort {
  readonly port: EndpointPort;
  readonly addresses: Set<string>;
}

function portsOf({ key, spec }: Slice, seen: (name: string, make: () => Set<string>) => Set<string>): readonly SeenPort[] {
  return spec.ports.map(({ name, port }) => ({
    port: { number: port ?? 0, servicePortName: name, servicePort: 0, listedBy: key },
    addresses: seen(name, () => new Set()),
  }));
}

function addEndpoints(found: Endpoint[], slice: Slice, view: SliceView, ports: readonly SeenPort[]): void {
  for (const endpoint of slice.spec.endpoints) {
    const health = healthOf(endpoint, view.drains);
    for (const address of endpoint.addresses) {
      const facts = factsFor(address, endpoint, slice, view.registry);
      if (facts === undefined) continue;
      const workload = atAddress(facts, address, view.registry);
      const mtlsOf = view.mtls(workload);
      for (const { port, addresses } of ports) {
        if (!addresses.has(address)) found.push({ workload, address, port, health, weight: 0, mtls: mtlsOf(port.number) });
        addresses.add(address);
      }
    }
  }
}

/** An absent `terminating` counts as true, so that an endpoint that is just not ready is only sent where it says so explicitly. */
function healthOf({ ready, serving, terminating }: SliceEndpoint, drains: boolean): Health {
  if (ready !== false) return "healthy";
  if (terminating === false) return "unhealthy";
  return drains && serving !== false ? "draining" : "terminating";
}

/** Undefined while the Pod that the endpoint names is unknown: without it, nothing true could be said of its identity. */
function factsFor(address: string, { targetRef }: SliceEndpoint, slice: Slice, registry: ClusterRegistry): WorkloadFacts | undefined {
  const { namespace } = slice.key;
  const named = targetRef?.kind === "Pod";
  const pod = named
    ? findPod(registry, targetRef.namespace, targetRef.name)
    : lookUp(registry.podsByAddress, address)?.find(({ key }) => key.namespace === namespace);
  if (pod === undefined) return named ? undefined : addressFacts(registry.place);
  return podFacts(pod, registry.place, registry.nodes.get(pod.spec.nodeName));
}

/** Where the workload itself does not tell the network, the address may. */
function atAddress(facts: WorkloadFacts, address: string, { place }: ClusterRegistry): WorkloadFacts {
  if (facts.network !== "") return facts;
  const network = networkOf(address, {}, place.network);
  return network === "" ? facts : { ...facts, network, labels: { ...facts.labels, [NETWORK_LABEL]: network } };
}
