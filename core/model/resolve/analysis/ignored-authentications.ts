import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { groupBy } from "#core/lib/group.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { compareAge } from "../age.ts";
import { diagnose, localName } from "./diagnose.ts";

/** Of several PeerAuthentications for a whole namespace only the oldest counts (istio `model/authentication.go` addPeerAuthentication). */
export const checkIgnoredAuthentications = memoize((policies: readonly SourceObject<"PeerAuthentication">[]): readonly Diagnostic[] => {
  const general = policies.filter(({ spec }) => Object.keys(spec.selector?.matchLabels ?? {}).length === 0);
  return [...groupBy(general, ({ key }) => key.namespace).values()].flatMap((group) => {
    const [oldest, ...others] = group.toSorted(compareAge);
    return others.flatMap((policy) => {
      const message = `is ignored: ${oldest === undefined ? "" : localName(oldest)}, which is older, is for the whole namespace too; keep one, or let it select workloads`;
      return diagnose(policy, { severity: "warning", code: "ALM0103", field: "spec.selector", message });
    });
  });
});
