import { compareText } from "#core/lib/compare.ts";
import { isWildcard } from "#core/lib/hostname.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { ServiceEntry_Resolution } from "#proto/networking/v1alpha3/service_entry_pb.js";

/** Virtual addresses that Almanac gave to hosts of ServiceEntries, by `namespace/host`. Recorded, and kept as long as the host lives. */
export type Allocations = Readonly<Record<string, AllocatedAddresses>>;

export interface AllocatedAddresses {
  readonly v4: string;
  readonly v6: string;
}

type Entry = SourceObject<"ServiceEntry">;

/** May addresses be allocated to hosts of this entry? Istio `networking/serviceentry/ip_autoallocation.go` ShouldV2AutoAllocateIP. */
export function wantsAddresses({ labels, spec }: Entry): boolean {
  if (spec.entry.resolution === ServiceEntry_Resolution.NONE || spec.entry.addresses.length > 0) return false;
  return (labels["networking.istio.io/enable-autoallocate-ip"] ?? "").toLowerCase() !== "false";
}

/** Key of a host in {@link Allocations}. */
export function allocationKey(namespace: string, host: string): string {
  return `${namespace}/${host}`;
}

/**
 * Gives every host that wants one an address of Istio's ranges (240.240.0.0/16 and 2001:2::/48), keeping what is recorded: each probes from a hash of its
 * namespace and name for the next free place, new hosts in order of their keys. Hosts whose status gives them an address need none, and nobody gets an
 * address that an entry uses. Returns `recorded` itself if nothing changes.
 */
export function allocateAddresses(entries: readonly Entry[], recorded: Allocations): Allocations {
  const wanted = [...new Set(entries.flatMap(hostsInNeed))].sort(compareText);
  const kept = wanted.filter((key) => recorded[key] !== undefined);
  if (kept.length === wanted.length && kept.length === Object.keys(recorded).length) return recorded;
  const used = new Set([...entries.flatMap(addressesOf), ...kept.map((key) => recorded[key]?.v4 ?? "")]);
  const result: Record<string, AllocatedAddresses> = {};
  for (const key of wanted) {
    const addresses = recorded[key] ?? probe(key, used);
    if (addresses === undefined) continue;
    used.add(addresses.v4);
    result[key] = addresses;
  }
  return result;
}

/** Wildcards only mean something where names are resolved at request time (istio `controllers/ipallocate` keepHost). */
function hostsInNeed(object: Entry): readonly string[] {
  if (!wantsAddresses(object)) return [];
  const { entry, status } = object.spec;
  const given = new Set(status?.addresses.map(({ host }) => host));
  const hosts = entry.hosts.filter((host) => !isWildcard(host) || entry.resolution === ServiceEntry_Resolution.DYNAMIC_DNS);
  return hosts.filter((host) => !given.has(host)).map((host) => allocationKey(object.key.namespace, host));
}

function addressesOf({ spec }: Entry): readonly string[] {
  return [...spec.entry.addresses, ...(spec.status?.addresses.map(({ value }) => value) ?? [])];
}

/** Addresses ending in .0 and .255 are left out. */
const PLACES = 256 * 254;

function probe(key: string, used: ReadonlySet<string>): AllocatedAddresses | undefined {
  const start = hash(key) % PLACES;
  for (let step = 0; step < PLACES; step++) {
    const addresses = addressesAt((start + step) % PLACES);
    if (!used.has(addresses.v4) && !used.has(addresses.v6)) return addresses;
  }
  return undefined;
}

function addressesAt(place: number): AllocatedAddresses {
  const third = Math.floor(place / 254);
  const fourth = (place % 254) + 1;
  return { v4: `240.240.${third}.${fourth}`, v6: `2001:2::f0f0:${(third * 256 + fourth).toString(16)}` };
}

/** FNV-1a over UTF-16 code units. It decides addresses, so it must never change. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}
