import { equalLists } from "#core/lib/equality.ts";
import { memoize } from "#core/lib/memo.ts";
import { WireView } from "#core/lib/protobuf/wire-view.ts";
import { VirtualHostSchema } from "#proto/envoy/config/route/v3/route_components_pb.js";
import type { HostPiece } from "../host-piece.ts";
import type { VirtualHostFragment } from "../virtual-host.ts";
import type { TypeFinder } from "./type-finder.ts";
import { walkMessage } from "./walk.ts";

/**
 * Do virtual hosts break no rule, neither one by one nor beside each other? What was judged in one configuration is not judged again in the next:
 * configurations are large, and a change is one host's. A no may be too strict (names are compared by hashes): look at the whole configuration then.
 */
export function areSound(pieces: readonly HostPiece[], types: TypeFinder): boolean {
  const at = sound.findIndex((list) => equalLists(list, pieces, (before, now) => before === now || canReplace(before, now, types)));
  if (at >= 0) sound.splice(at, 1);
  else if (!judgeAll(pieces, types)) return false;
  sound.unshift(pieces);
  if (sound.length > MOST_KNOWN) sound.pop();
  return true;
}

/** Configurations that broke no rule: the next one is mostly one of them with the routes of one host changed. */
const sound: (readonly HostPiece[])[] = [];
const MOST_KNOWN = 64;

/** May sound hosts stand where others did? If they have the same domains. */
function canReplace(before: HostPiece, now: HostPiece, types: TypeFinder): boolean {
  if (before.hosts.length !== now.hosts.length) return false;
  const judged = judgePiece(now, types);
  return judged.sound && equalLists(judgePiece(before, types).domains, judged.domains);
}

function judgeAll(pieces: readonly HostPiece[], types: TypeFinder): boolean {
  const judged = pieces.map((piece) => judgePiece(piece, types));
  const domains = judged.flatMap((piece) => piece.domains);
  return judged.every((piece) => piece.sound) && new Set(domains).size === domains.length;
}

interface Judgement {
  readonly sound: boolean;
  /** Hashes of all domains. */
  readonly domains: readonly number[];
}

const NO_DOMAINS: readonly number[] = [];

const judgePiece = memoize(({ hosts }: HostPiece, types: TypeFinder): Judgement => {
  const judged = hosts.map((host) => judge(host, types));
  return { sound: judged.every((host) => host.sound), domains: NO_DOMAINS.concat(...judged.map((host) => host.domains)) };
});

const judge = memoize(
  ({ bytes }: VirtualHostFragment, types: TypeFinder): Judgement => ({
    sound: walkMessage(VirtualHostSchema, bytes, types).length === 0,
    domains: new WireView(bytes).hashes(VirtualHostSchema.field.domains.number),
  }),
);
