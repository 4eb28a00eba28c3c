import { NETWORK_LABEL } from "#core/lib/topology.ts";
import { lookUp } from "#core/lib/trie.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { Health, WorkloadFacts } from "../../endpoint.ts";
import { networkOf } from "../registry/networks.ts";
import { type ClusterRegistry, findPod } from "../registry/registry.ts";
import { addressFacts, podFacts } from "../registry/workload-facts.ts";
import type { EndpointDraft } from "./endpoint-draft.ts";

type Slice = SourceObject<"EndpointSlice">;
type SliceEndpoint = Slice["spec"]["endpoints"][number];

/**
 * The endpoints that a service's slices give it, slice by slice in order of their names; of two with one address and port name the first stays
 * (istio `kube/controller/endpointslice.go`). `drains`: endpoints on their way out may still be sent.
 */
export function sliceEndpoints(slices: readonly Slice[], drains: boolean, registry: ClusterRegistry): readonly EndpointDraft[] {
  const seen = new Set<string>();
  const drafts: EndpointDraft[] = [];
  for (const slice of slices) {
    for (const draft of endpointsOfSlice(slice, drains, registry)) {
      const id = `${draft.address} ${draft.servicePortName}`;
      if (!seen.has(id)) drafts.push(draft);
      seen.add(id);
    }
  }
  return drafts;
}

function* endpointsOfSlice(slice: Slice, drains: boolean, registry: ClusterRegistry): Iterable<EndpointDraft> {
  for (const endpoint of slice.spec.endpoints) {
    const health = healthOf(endpoint, drains);
    for (const address of endpoint.addresses) {
      const found = factsFor(address, endpoint, slice, registry);
      if (found === undefined) continue;
      const facts = atAddress(found, address, registry);
      for (const port of slice.spec.ports) {
        yield { facts, address, port: port.port ?? 0, servicePortName: port.name, servicePort: 0, health, weight: 0, listedBy: slice.key };
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
