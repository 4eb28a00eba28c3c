import { memoize } from "#core/lib/memo.ts";
import { encode } from "#core/lib/protobuf/encode.ts";
import { WireView } from "#core/lib/protobuf/wire-view.ts";
import { equalLists } from "#core/lib/steady.ts";
import { VirtualHostSchema } from "#proto/envoy/config/route/v3/route_components_pb.js";
import type { VirtualHostFragment } from "../virtual-host.ts";
import type { TypeFinder } from "./type-finder.ts";
import { walkMessage } from "./walk.ts";

/**
 * Do virtual hosts break no rule, neither one by one nor beside each other? A host that was judged in one configuration is not judged again in the next:
 * configurations are large, and a change is one host's. A no may be too strict (names are compared by hashes): look at the whole configuration then.
 */
export function areSound(hosts: readonly VirtualHostFragment[], types: TypeFinder): boolean {
  const judged = hosts.map((host) => judge(host, types));
  return judged.every(({ sound }) => sound) && haveOwnDomains(judged);
}

interface Judgement {
  readonly sound: boolean;
  /** Hashes of its domains. */
  readonly domains: readonly number[];
}

const judge = memoize((host: VirtualHostFragment, types: TypeFinder): Judgement => {
  const bytes = encode(VirtualHostSchema, host);
  return {
    sound: walkMessage(VirtualHostSchema, bytes, types).length === 0,
    domains: new WireView(bytes).hashes(VirtualHostSchema.field.domains.number),
  };
});

/** Lists in which no domain occurs twice: the next list is mostly one of them with the routes of one host changed. */
const known: (readonly Judgement[])[] = [];
const MOST_KNOWN = 64;

function haveOwnDomains(hosts: readonly Judgement[]): boolean {
  const at = known.findIndex((list) => equalLists(list, hosts, haveSameDomains));
  if (at >= 0) known.splice(at, 1);
  else if (!areDistinct(hosts)) return false;
  known.unshift(hosts);
  if (known.length > MOST_KNOWN) known.pop();
  return true;
}

function haveSameDomains(a: Judgement, b: Judgement): boolean {
  return a === b || equalLists(a.domains, b.domains);
}

function areDistinct(hosts: readonly Judgement[]): boolean {
  const domains = hosts.flatMap((host) => host.domains);
  return new Set(domains).size === domains.length;
}
