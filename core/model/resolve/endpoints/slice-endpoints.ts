import { equalLists } from "#core/lib/equality.ts";
import { keyed } from "#core/lib/keyed.ts";
import { NETWORK_LABEL } from "#core/lib/topology.ts";
import { lookUp } from "#core/lib/trie.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { Endpoint, EndpointPort, Health, WorkloadFacts } from "../../endpoint.ts";
import { networkOf } from "../registry/networks.ts";
import { type PodRegistry, podFinder } from "../registry/registry.ts";
import { addressFacts, podFacts } from "../registry/workload-facts.ts";
import type { MtlsVerdict } from "./mtls-verdict.ts";

type Slice = SourceObject<"EndpointSlice">;
type SliceEndpoint = Slice["spec"]["endpoints"][number];

/** How slices are read. */
export interface SliceView {
  /** Endpoints on their way out may still be sent. */
  readonly drains: boolean;
  readonly registry: PodRegistry;
  readonly mtls: MtlsVerdict;
}

/** A view in use. */
interface Reading extends SliceView {
  readonly podOf: ReturnType<typeof podFinder>;
}

/**
 * The endpoints that a service's slices give it, slice by slice in order of their names; of two with one address and port name the first stays
 * (istio `kube/controller/endpointslice.go`).
 */
export function sliceEndpoints(slices: readonly Slice[], view: SliceView): readonly Endpoint[] {
  const found: Endpoint[] = [];
  const reading = { ...view, podOf: podFinder(view.registry) };
  if (havePortsInCommon(slices)) {
    const addresses = new Set<string>();
    for (const slice of slices) addEndpoints(found, slice, reading, [{ ports: portsOf(slice), addresses }]);
    return found;
  }
  const seen = keyed<Set<string>>();
  for (const slice of slices) {
    const each = portsOf(slice).map((port): SeenPorts => ({ ports: [port], addresses: seen(port.servicePortName, () => new Set()) }));
    addEndpoints(found, slice, reading, each);
  }
  return found;
}

/** Ports of a slice, and the addresses that their names have already. */
interface SeenPorts {
  readonly ports: readonly EndpointPort[];
  readonly addresses: Set<string>;
}

/** Do all name the same ports, each once? Then what one name has, all have. */
function havePortsInCommon([first, ...others]: readonly Slice[]): boolean {
  const ports = first?.spec.ports ?? [];
  if (new Set(ports.map(({ name }) => name)).size < ports.length) return false;
  return others.every(({ spec }) => equalLists(spec.ports, ports, (a, b) => a.name === b.name));
}

function portsOf({ key, spec }: Slice): readonly EndpointPort[] {
  return spec.ports.map(({ name, port }) => ({ number: port ?? 0, servicePortName: name, servicePort: 0, listedBy: key }));
}

function addEndpoints(found: Endpoint[], slice: Slice, reading: Reading, seen: readonly SeenPorts[]): void {
  for (const endpoint of slice.spec.endpoints) {
    const health = healthOf(endpoint, reading.drains);
    for (const address of endpoint.addresses) {
      const facts = factsFor(address, endpoint, slice, reading);
      if (facts === undefined) continue;
      const workload = atAddress(facts, address, reading.registry);
      addAddress(found, { workload, address, health }, reading.mtls(workload), seen);
    }
  }
}

/** One endpoint for each port whose name hasn't the address yet. */
function addAddress(
  found: Endpoint[],
  { workload, address, health }: Pick<Endpoint, "workload" | "address" | "health">,
  mtlsOf: ReturnType<MtlsVerdict>,
  seen: readonly SeenPorts[],
): void {
  for (const { ports, addresses } of seen) {
    if (addresses.has(address)) continue;
    addresses.add(address);
    for (const port of ports) found.push({ workload, address, port, health, weight: 0, mtls: mtlsOf(port.number) });
  }
}

/** An absent `terminating` counts as true, so that an endpoint that is just not ready is only sent where it says so explicitly. */
function healthOf({ ready, serving, terminating }: SliceEndpoint, drains: boolean): Health {
  if (ready !== false) return "healthy";
  if (terminating === false) return "unhealthy";
  return drains && serving !== false ? "draining" : "terminating";
}

/** Undefined while the Pod that the endpoint names is unknown: without it, nothing true could be said of its identity. */
function factsFor(address: string, { targetRef }: SliceEndpoint, slice: Slice, { registry, podOf }: Reading): WorkloadFacts | undefined {
  const { namespace } = slice.key;
  const named = targetRef?.kind === "Pod";
  const pod = named
    ? podOf(targetRef.namespace, targetRef.name)
    : lookUp(registry.podsByAddress, address)?.find(({ key }) => key.namespace === namespace);
  if (pod === undefined) return named ? undefined : addressFacts(registry.place);
  return podFacts(pod, registry.place, registry.nodes.get(pod.spec.nodeName));
}

/** Where the workload itself does not tell the network, the address may. */
function atAddress(facts: WorkloadFacts, address: string, { place }: PodRegistry): WorkloadFacts {
  if (facts.network !== "") return facts;
  const network = networkOf(address, {}, place.network);
  return network === "" ? facts : { ...facts, network, labels: { ...facts.labels, [NETWORK_LABEL]: network } };
}
