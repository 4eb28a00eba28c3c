import type { Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import { takesTunnels } from "#core/lib/tunnel.ts";
import type { WorkloadTraits } from "../../endpoint.ts";

/** What labels tell of a workload; the same value for the same labels, as the Pods of a workload have them (names: istio `networking/util` AppendLbEndpointMetadata). */
export const workloadTraits = memoize(
  (labels: Labels): WorkloadTraits => ({
    canonicalName: labels["service.istio.io/canonical-name"] ?? labels["app.kubernetes.io/name"] ?? labels.app,
    canonicalRevision: labels["service.istio.io/canonical-revision"] ?? labels["app.kubernetes.io/version"] ?? labels.version ?? "latest",
    tunnels: takesTunnels(labels),
    isWaypoint: labels["gateway.istio.io/managed"] === "istio.io-mesh-controller",
    drains: !!labels["istio.io/draining"],
  }),
);
