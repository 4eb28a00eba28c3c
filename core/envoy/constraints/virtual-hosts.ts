import { equalLists } from "#core/lib/equality.ts";
import { memoize } from "#core/lib/memo.ts";
import { encode } from "#core/lib/protobuf/encode.ts";
import { WireView } from "#core/lib/protobuf/wire-view.ts";
import { VirtualHostSchema } from "#proto/envoy/config/route/v3/route_components_pb.js";
import type { VirtualHostFragment } from "../virtual-host.ts";
import type { TypeFinder } from "./type-finder.ts";
import { walkMessage } from "./walk.ts";

/**
 * Do virtual hosts break no rule, neither one by one nor beside each other? A host that was judged in one configuration is not judged again in the next:
 * configurations are large, and a change is one host's. A no may be too strict (names are compared by hashes): look at the whole configuration then.
 */
export function areSound(hosts: readonly VirtualHostFragment[], types: TypeFinder): boolean {
  const at = sound.findIndex((list) => equalLists(list, hosts, (before, now) => before === now || canReplace(before, now, types)));
  if (at >= 0) sound.splice(at, 1);
  else if (!judgeAll(hosts, types)) return false;
  sound.unshift(hosts);
  if (sound.length > MOST_KNOWN) sound.pop();
  return true;
}

/** Lists that broke no rule: the next one is mostly one of them with the routes of one host changed. */
const sound: (readonly VirtualHostFragment[])[] = [];
const MOST_KNOWN = 64;

/** May a sound host stand where another did? If it has the same domains. */
function canReplace(before: VirtualHostFragment, now: VirtualHostFragment, types: TypeFinder): boolean {
  const judged = judge(now, types);
  return judged.sound && equalLists(judge(before, types).domains, judged.domains);
}

function judgeAll(hosts: readonly VirtualHostFragment[], types: TypeFinder): boolean {
  const judged = hosts.map((host) => judge(host, types));
  const domains = judged.flatMap((host) => host.domains);
  return judged.every((host) => host.sound) && new Set(domains).size === domains.length;
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
