import type { Share } from "#core/envoy/percent.ts";
import type { MirrorTarget } from "#core/envoy/route-action.ts";
import type { HttpMirror } from "#core/model/virtual-service.ts";
import { destinationCluster, type FindDestination } from "./destination.ts";
import { shareOfPercent, shareOfWholePercent } from "./percent.ts";

/** Where copies of requests go. A mirror of zero percent is none (istio `MirrorPercent`, `MirrorPercentByPolicy`). */
export function mirrorTargets(mirrors: readonly HttpMirror[], find: FindDestination, listenerPort: number): readonly MirrorTarget[] {
  return mirrors.flatMap((mirror) => {
    const share = mirrorShare(mirror);
    if (share === undefined || mirror.destination === undefined) return [];
    return [{ cluster: destinationCluster(mirror.destination, find(mirror.destination.host), listenerPort), share }];
  });
}

function mirrorShare({ percentage, deprecatedPercent }: HttpMirror): Share | undefined {
  if (percentage !== undefined) return percentage.value > 0 ? shareOfPercent(percentage.value) : undefined;
  if (deprecatedPercent !== undefined) return deprecatedPercent > 0 ? shareOfWholePercent(deprecatedPercent) : undefined;
  return shareOfWholePercent(100);
}
