import type { Documents } from "#core/edition/document.ts";
import { memoize } from "#core/lib/memo.ts";
import { visit } from "#core/lib/trie.ts";
import { istioObjects } from "#core/model/resolve/mesh-objects.ts";
import type { ResolveOptions } from "#core/model/resolve/options.ts";
import { type AllocatedAddresses, type Allocations, allocateAddresses } from "#core/model/resolve/services/auto-addresses.ts";
import type { Inventory } from "#core/sources/inventory.ts";

/** Where an edition's inventory records the addresses that were allocated: beside the objects, under a kind that no source has. */
const PREFIX = "/AllocatedAddresses/";

/** The record of one host, as the inventory of an edition stores it. */
export interface AllocationRecord {
  readonly host: string;
  readonly addresses: AllocatedAddresses;
}

/** A record's name in the inventory; `host` is `namespace/host`. */
export function recordName({ host }: AllocationRecord): string {
  return `${PREFIX}${host}`;
}

/** One record a host. */
export const allocationRecords = memoize((allocations: Allocations): readonly AllocationRecord[] =>
  Object.entries(allocations).map(([host, addresses]) => ({ host, addresses })),
);

/** What an edition recorded; a restarted writer goes on from there, so that no host ever changes its address. */
export function recordedAllocations(inventory: Documents | undefined): Allocations {
  const found: Record<string, AllocatedAddresses> = {};
  if (inventory === undefined) return found;
  visit(inventory, (name, { value }) => {
    if (!name.startsWith(PREFIX)) return;
    const { host, addresses } = value as AllocationRecord;
    found[host] = addresses;
  });
  return found;
}

/** Options with an address for every host that wants one, those recorded kept. */
export function withAllocations(options: ResolveOptions, inventory: Inventory, recorded: Allocations): ResolveOptions {
  const allocations = allocateAddresses(istioObjects(inventory, "ServiceEntry", options), recorded);
  return allocations === options.allocations ? options : { ...options, allocations };
}
