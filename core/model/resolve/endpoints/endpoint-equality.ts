import { equalLists } from "#core/lib/equality.ts";
import { equalLabels } from "#core/lib/labels.ts";
import { equalKeyLists, equalObjectKeys } from "#core/lib/object-key.ts";
import type { Endpoint, EndpointPort, PortMtls, ServiceEndpoints, WorkloadFacts } from "../../endpoint.ts";

/**
 * The old value where the new one says the same, endpoint by endpoint: what is made of an endpoint or of a list is then found again, although the slice
 * that it stands in was read anew.
 */
export function keepEqual(found: ServiceEndpoints, known: ServiceEndpoints | undefined): ServiceEndpoints {
  if (known === undefined) return found;
  const endpoints = keepEndpoints(found.endpoints, known.endpoints);
  const same = equalLists(endpoints, known.endpoints);
  const sameSources = equalKeyLists(found.sources, known.sources);
  if (same && sameSources) return known;
  return { ...found, endpoints: same ? known.endpoints : endpoints, sources: sameSources ? known.sources : found.sources };
}

/** Most endpoints stay where they were; only what moved is looked for by what it is. */
function keepEndpoints(found: readonly Endpoint[], known: readonly Endpoint[]): readonly Endpoint[] {
  let byId: ReadonlyMap<string, Endpoint> | undefined;
  return found.map((endpoint, index) => {
    const inPlace = known[index];
    if (inPlace !== undefined && equalEndpoint(inPlace, endpoint)) return inPlace;
    byId ??= new Map(known.map((one) => [endpointId(one), one]));
    const moved = byId.get(endpointId(endpoint));
    return moved !== undefined && equalEndpoint(moved, endpoint) ? moved : endpoint;
  });
}

function endpointId({ address, port: { number, servicePortName, servicePort } }: Endpoint): string {
  return `${address} ${number} ${servicePort} ${servicePortName}`;
}

function equalEndpoint(a: Endpoint, b: Endpoint): boolean {
  const sameState = a.address === b.address && a.health === b.health && a.weight === b.weight;
  return sameState && equalWorkload(a.workload, b.workload) && equalPort(a.port, b.port) && equalMtls(a.mtls, b.mtls);
}

function equalPort(a: EndpointPort, b: EndpointPort): boolean {
  const samePort = a.number === b.number && a.servicePort === b.servicePort && a.servicePortName === b.servicePortName;
  return a === b || (samePort && equalObjectKeys(a.listedBy, b.listedBy));
}

function equalMtls(a: PortMtls, b: PortMtls): boolean {
  return a === b || (a.allowed === b.allowed && equalKeyLists(a.sources, b.sources));
}

function equalWorkload(a: WorkloadFacts, b: WorkloadFacts): boolean {
  if (a === b) return true;
  for (const field of WORKLOAD_FIELDS) if (a[field] !== b[field]) return false;
  return equalLabels(a.labels, b.labels) && equalKeyLists(a.sources, b.sources);
}

const WORKLOAD_FIELDS = [
  "serviceAccount",
  "tlsMode",
  "workloadName",
  "namespace",
  "cluster",
  "network",
  "locality",
  "nodeName",
  "hostName",
  "subdomain",
] as const;
