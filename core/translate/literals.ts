import { interner } from "#core/lib/intern.ts";
import type { Literals } from "#core/node/placement.ts";

/** A workload's own names, which its HTTP listeners carry in telemetry tags: the only reason why they differ between workloads of one scope. */
export interface ListenerLiterals {
  readonly canonicalName: string;
  readonly canonicalRevision: string;
  readonly namespace: string;
  readonly cluster: string;
  readonly meshId: string;
}

const intern = interner<ListenerLiterals>();

/** Fills in what Istio says of workloads that don't say it themselves (istio `core/tracing.go` buildServiceTags). Equal literals have one identity. */
export function listenerLiterals(
  scope: { readonly cluster: string },
  literals: Pick<Literals, "namespace" | "canonicalName" | "canonicalRevision" | "meshId">,
): ListenerLiterals {
  return intern({
    canonicalName: literals.canonicalName || "unknown",
    canonicalRevision: literals.canonicalRevision || "latest",
    namespace: literals.namespace || "default",
    cluster: scope.cluster || "unknown",
    meshId: literals.meshId || "unknown",
  });
}
