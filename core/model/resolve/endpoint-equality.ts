import { equalLabels } from "#core/lib/labels.ts";
import { formatObjectKey, type ObjectKey } from "#core/lib/object-key.ts";
import type { Endpoint, ServiceEndpoints } from "../endpoint.ts";

/**
 * The old value where the new one says the same, endpoint by endpoint: what is made of an endpoint or of a list is then found again, although the slice
 * that it stands in was read anew.
 */
export function keepEqual(found: ServiceEndpoints, known: ServiceEndpoints | undefined): ServiceEndpoints {
  if (known === undefined) return found;
  const old = new Map(known.endpoints.map((endpoint) => [endpointId(endpoint), endpoint]));
  const endpoints = found.endpoints.map((endpoint) => {
    const before = old.get(endpointId(endpoint));
    return before !== undefined && equalEndpoint(before, endpoint) ? before : endpoint;
  });
  const same = endpoints.length === known.endpoints.length && endpoints.every((endpoint, index) => endpoint === known.endpoints[index]);
  const sameSources = equalKeys(found.sources, known.sources);
  if (same && sameSources) return known;
  return { ...found, endpoints: same ? known.endpoints : endpoints, sources: sameSources ? known.sources : found.sources };
}

function endpointId({ address, port, servicePortName, servicePort }: Endpoint): string {
  return `${address} ${port} ${servicePort} ${servicePortName}`;
}

function equalEndpoint(a: Endpoint, b: Endpoint): boolean {
  for (const field of PLAIN_FIELDS) if (a[field] !== b[field]) return false;
  return equalLabels(a.labels, b.labels) && equalKeys(a.sources, b.sources);
}

const PLAIN_FIELDS = [
  "health",
  "serviceAccount",
  "tlsMode",
  "mtlsAllowed",
  "workloadName",
  "namespace",
  "cluster",
  "network",
  "locality",
  "nodeName",
  "hostName",
  "subdomain",
  "weight",
] as const;

function equalKeys(a: readonly ObjectKey[], b: readonly ObjectKey[]): boolean {
  return (
    a === b || (a.length === b.length && a.every((key, index) => key === b[index] || formatObjectKey(key) === formatObjectKey(b[index] as ObjectKey)))
  );
}
