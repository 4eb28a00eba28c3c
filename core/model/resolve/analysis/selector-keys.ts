import { interner } from "#core/lib/intern.ts";
import type { Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";

/** Marks the workloads of a Gateway of the Gateway API. */
export const GATEWAY_NAME = "gateway.networking.k8s.io/gateway-name";

/** Objects that select workloads by labels. */
export type Selecting =
  | SourceObject<"Gateway">
  | SourceObject<"Sidecar">
  | SourceObject<"DestinationRule">
  | SourceObject<"Service">
  | SourceObject<"ServiceEntry">
  | SourceObject<"Telemetry">
  | SourceObject<"AuthorizationPolicy">
  | SourceObject<"RequestAuthentication">
  | SourceObject<"WasmPlugin">;

const internKeys = interner<readonly string[]>();

/** The labels that any of these objects asks for, sorted; the same array for the same ones. Other labels of workloads need not be looked at. */
export function selectorKeys(lists: readonly (readonly Selecting[])[]): readonly string[] {
  const keys = new Set(lists.flatMap((list) => keysIn(list)));
  return internKeys([...keys.add(GATEWAY_NAME)].sort());
}

const keysIn = memoize((objects: readonly Selecting[]): readonly string[] => {
  const keys = new Set<string>();
  for (const object of objects) for (const selector of selectorsOf(object)) for (const key in selector) keys.add(key);
  return [...keys];
});

function selectorsOf(object: Selecting): readonly Labels[] {
  const { spec } = object;
  if ("entry" in spec) return [spec.entry.workloadSelector?.labels ?? {}];
  if ("subsets" in spec) return spec.subsets.map(({ labels }) => labels);
  if ("servers" in spec || "clusterIP" in spec) return [spec.selector];
  if ("egress" in spec) return [spec.workloadSelector?.labels ?? {}];
  return [spec.selector?.matchLabels ?? {}];
}
