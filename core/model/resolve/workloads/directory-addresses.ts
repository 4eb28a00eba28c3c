import { groupBy } from "#core/lib/group.ts";
import { memoize } from "#core/lib/memo.ts";
import { lookUp, type TrieNode, visit } from "#core/lib/trie.ts";
import type { AddressEntry, AddressTarget } from "#core/node/directory.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { Claim, ClaimedAddresses } from "../endpoints/claimed-addresses.ts";
import type { ClusterPlace } from "../registry/workload-facts.ts";
import { entryInstance } from "../registry/workload-instance.ts";

type Entries = readonly SourceObject<"WorkloadEntry">[];

/** What is registered at one address, as nodes of one cluster see it. */
interface Registered {
  readonly claims: readonly Claim[] | undefined;
  readonly entries: Entries | undefined;
  readonly place: ClusterPlace;
  /** The cluster is that of the ServiceEntries: its nodes take their labels from there too. */
  readonly isOwn: boolean;
}

/** What is registered at an address, as nodes of one cluster see it; undefined if nothing is. */
export function findAddress({ claims = NO_CLAIMS, entries = NO_ENTRIES, place, isOwn }: Registered): AddressEntry | undefined {
  return makeEntry(claims, entries, place, isOwn ? OWN : FOREIGN);
}

/** All of them. */
export function addressEntries(claims: ClaimedAddresses, entries: TrieNode<Entries>, place: ClusterPlace, isOwn: boolean): readonly AddressEntry[] {
  return allEntries(claims, entries, place, isOwn ? OWN : FOREIGN);
}

const NO_CLAIMS: readonly Claim[] = [];
const NO_ENTRIES: Entries = [];
const OWN = { labels: true };
const FOREIGN = { labels: false };

const allEntries = memoize((claims: ClaimedAddresses, entries: TrieNode<Entries>, place: ClusterPlace, role: typeof OWN): readonly AddressEntry[] => {
  const addresses = new Set<string>();
  visit(claims, (address) => addresses.add(address));
  visit(entries, (address) => addresses.add(address));
  return [...addresses].flatMap(
    (address) => makeEntry(lookUp(claims, address) ?? NO_CLAIMS, lookUp(entries, address) ?? NO_ENTRIES, place, role) ?? [],
  );
});

/** Claims and WorkloadEntries speak of one address; undefined where there are none. */
const makeEntry = memoize((claims: readonly Claim[], entries: Entries, place: ClusterPlace, role: typeof OWN): AddressEntry | undefined => {
  const workloadEntries = entries.flatMap((entry) => {
    const instance = entryInstance(place, entry);
    return instance === undefined || instance.dnsOnly
      ? []
      : [{ namespace: instance.namespace, name: instance.name, serviceAccount: instance.facts.serviceAccount }];
  });
  const byNamespace = [...groupBy(claims, ({ namespace }) => namespace)].map(([namespace, own]) => ({
    namespace,
    ...(role.labels && own[0]?.endpoints[0] && { labels: own[0].endpoints[0].workload.labels }),
    targets: own.flatMap(claimTargets),
  }));
  const address = claims[0]?.endpoints[0]?.address ?? entries[0]?.spec.entry.address ?? "";
  if (workloadEntries.length === 0 && byNamespace.length === 0) return undefined;
  return { kind: "address", cluster: place.cluster, namespace: "", name: address, addresses: [address], workloadEntries, claims: byNamespace };
});

function claimTargets({ service, endpoints }: Claim): readonly AddressTarget[] {
  return endpoints.map(({ port: { servicePort, number, listedBy } }) => ({
    registry: "External",
    service,
    entry: listedBy.name,
    port: servicePort,
    targetPort: number,
  }));
}
