import { isAddress } from "#core/lib/address.ts";
import { groupBy } from "#core/lib/group.ts";
import { memoize } from "#core/lib/memo.ts";
import { equalKeyLists, type ObjectKey } from "#core/lib/object-key.ts";
import { steady } from "#core/lib/steady.ts";
import type { Endpoint, ServiceEndpoints } from "#core/model/endpoint.ts";
import { isTunnelled } from "./member.ts";

/** What all assignments of a service read of its endpoints: looked at once. */
export interface Overview {
  /** By the name of their port: endpoints whose address is one, or a socket, or to be replaced by a gateway's. */
  readonly discoverable: ReadonlyMap<string, readonly Endpoint[]>;
  /** Some endpoint is reached through a tunnel by whoever can. */
  readonly anyTunnelled: boolean;
  /** The objects that endpoints are made of: all are looked at, whichever are taken. The same list as long as they come of the same objects. */
  readonly sources: readonly ObjectKey[];
}

export const overviewOf = memoize(({ sources, endpoints }: ServiceEndpoints): Overview => {
  const keys = new Set(sources);
  let anyTunnelled = false;
  let last: Endpoint | undefined;
  for (const endpoint of endpoints) {
    // One after the other, the ports of a workload: nothing new after the first.
    if (endpoint.workload !== last?.workload) {
      for (const key of endpoint.workload.sources) keys.add(key);
      anyTunnelled ||= isTunnelled(endpoint);
    }
    if (endpoint.mtls !== last?.mtls) for (const key of endpoint.mtls.sources) keys.add(key);
    last = endpoint;
  }
  const [first] = keys;
  const discoverable = groupBy(endpoints.filter(isDiscoverable), ({ port }) => port.servicePortName);
  return { discoverable, anyTunnelled, sources: first === undefined ? NONE : steadySources(first)([...keys]) };
});

function isDiscoverable({ address, port }: Endpoint): boolean {
  return address === "" || port.number === 0 || isAddress(address);
}

const NONE: readonly ObjectKey[] = [];

/** By what lists the endpoints. */
const steadySources = memoize((_first: ObjectKey) => steady(equalKeyLists));
