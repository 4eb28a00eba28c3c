import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { diagnose, listText } from "./diagnose.ts";
import { GATEWAY_NAME } from "./selector-keys.ts";
import type { Workloads } from "./workloads.ts";

type PolicyObject =
  | SourceObject<"AuthorizationPolicy">
  | SourceObject<"RequestAuthentication">
  | SourceObject<"Telemetry">
  | SourceObject<"WasmPlugin">;

/** Policies that select the workloads of a Gateway of the Gateway API, where only `targetRefs` counts (istio `analyzers/k8sgateway/workloadselector.go`). */
export const checkGatewayApiSelectors = memoize((policies: readonly PolicyObject[], workloads: Workloads): readonly Diagnostic[] =>
  policies.flatMap((policy) => {
    const { key, spec } = policy;
    if (spec.selector === undefined || spec.targetRef !== undefined || spec.targetRefs.length > 0) return [];
    const names = workloads.find(spec.selector.matchLabels, key.namespace).flatMap(({ labels }) => labels[GATEWAY_NAME] ?? []);
    if (names.length === 0) return [];
    const message = `selects the workloads of Gateway ${listText([...new Set(names)])}, where selectors have no effect: name the Gateway in targetRefs`;
    return diagnose(policy, { severity: "warning", code: "IST0166", field: "spec.selector", message });
  }),
);
