import { isAddress } from "#core/lib/address.ts";
import { compareText } from "#core/lib/compare.ts";
import { change, emptyTrie, lookUp, type TrieNode } from "#core/lib/trie.ts";
import type { Endpoint, ServiceEndpoints } from "../../endpoint.ts";

/** Endpoints that ServiceEntries give to one address, by the service's key. */
export interface Claim {
  /** `namespace/host`. */
  readonly service: string;
  readonly namespace: string;
  readonly endpoints: readonly Endpoint[];
}

/** By address: how a proxy finds the services of ServiceEntries that it serves. */
export type ClaimedAddresses = TrieNode<readonly Claim[]>;

export interface EndpointChange {
  readonly key: string;
  readonly before: ServiceEndpoints | undefined;
  readonly after: ServiceEndpoints | undefined;
}

/** The claims after the endpoints of some services changed. */
export function updateClaims(claims: ClaimedAddresses | undefined, changes: readonly EndpointChange[]): ClaimedAddresses {
  const edits = new Map<string, readonly Claim[]>();
  const known = claims ?? emptyTrie<readonly Claim[]>();
  const claimsAt = (address: string): readonly Claim[] => edits.get(address) ?? lookUp(known, address) ?? [];
  for (const { key, before, after } of changes) {
    if (before === after) continue;
    for (const address of claimedBy(before).keys()) {
      edits.set(
        address,
        claimsAt(address).filter(({ service }) => service !== key),
      );
    }
    for (const [address, endpoints] of claimedBy(after)) {
      const claim = { service: key, namespace: after?.namespace ?? "", endpoints };
      edits.set(
        address,
        [...claimsAt(address), claim].sort((a, b) => compareText(a.service, b.service)),
      );
    }
  }
  return change(known, new Map([...edits].map(([address, list]) => [address, list.length === 0 ? undefined : list])));
}

/** ServiceEntry endpoints say the number of their port and come first. */
function claimedBy(service: ServiceEndpoints | undefined): ReadonlyMap<string, readonly Endpoint[]> {
  const found = new Map<string, Endpoint[]>();
  for (const endpoint of service?.endpoints ?? []) {
    if (endpoint.port.servicePort === 0) break;
    if (!isAddress(endpoint.address)) continue;
    const known = found.get(endpoint.address);
    if (known === undefined) found.set(endpoint.address, [endpoint]);
    else known.push(endpoint);
  }
  return found;
}
