import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { groupBy } from "#core/lib/group.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { entryPath } from "#core/sources/validate/findings.ts";
import { diagnose, listText, selectorText } from "./diagnose.ts";
import { overlaps } from "./selector-overlaps.ts";
import type { Workloads } from "./workloads.ts";

type TelemetryObject = SourceObject<"Telemetry">;

/** Telemetries that select nothing, or what others of their namespace select too (istio `analyzers/telemetry/selector.go`). */
export const checkTelemetrySelectors = memoize((telemetries: readonly TelemetryObject[], workloads: Workloads): readonly Diagnostic[] => {
  if (workloads.unknown) return [];
  const selective = telemetries.filter((one) => Object.keys(labelsOf(one)).length > 0);
  const rivals = overlaps(selective, labelsOf, workloads);
  return selective.flatMap((telemetry) => {
    const labels = labelsOf(telemetry);
    const { namespace } = telemetry.key;
    if (workloads.find(labels, namespace).length === 0) {
      const field = entryPath("spec.selector.matchLabels", Object.keys(labels).sort()[0] ?? "");
      const message = `selects the workloads with ${selectorText(labels)}, but namespace ${namespace} has none: it has no effect`;
      return diagnose(telemetry, { severity: "error", code: "IST0101", field, message });
    }
    const others = rivals(telemetry);
    if (others.length === 0) return [];
    const message = `selects workloads that Telemetry ${listText(others)} selects too: only the oldest counts for these; let each select its own`;
    return diagnose(telemetry, { severity: "error", code: "IST0159", field: "spec.selector", message });
  });
});

function labelsOf({ spec }: TelemetryObject): Readonly<Record<string, string>> {
  return spec.selector?.matchLabels ?? {};
}

/** Several Telemetries for a whole namespace (istio `analyzers/telemetry/default_selector.go`); those for a Gateway or a Service are not. */
export const checkGeneralTelemetries = memoize((telemetries: readonly TelemetryObject[]): readonly Diagnostic[] => {
  const general = telemetries.filter(({ spec }) => spec.selector === undefined && spec.targetRef === undefined && spec.targetRefs.length === 0);
  return [...groupBy(general, ({ key }) => key.namespace)].flatMap(([namespace, group]) =>
    group.length < 2 ? [] : group.flatMap((telemetry) => rivalled(telemetry, { namespace, group })),
  );
});

function rivalled(
  telemetry: TelemetryObject,
  { namespace, group }: { readonly namespace: string; readonly group: readonly TelemetryObject[] },
): readonly Diagnostic[] {
  const others = group.filter((one) => one !== telemetry).map(({ key }) => key.name);
  const message = `has no selector, as has Telemetry ${listText(others)} in the same namespace ${namespace}: only the oldest counts; join them`;
  return diagnose(telemetry, { severity: "error", code: "IST0160", field: "spec.selector", message });
}

/** Access logs without a provider, where the mesh has no default one either (istio `analyzers/telemetry/providers.go`). */
export const checkTelemetryProviders = memoize((telemetries: readonly TelemetryObject[], { defaultProviders }: MeshConfig): readonly Diagnostic[] => {
  if (defaultProviders.accessLogging.length > 0) return [];
  return telemetries.flatMap((telemetry) => {
    const index = telemetry.spec.accessLogging.findIndex(({ providers, disabled }) => providers.length === 0 && disabled !== true);
    if (index < 0) return [];
    const message = "names no provider, and the mesh config has no default one for access logs: it has no effect";
    return diagnose(telemetry, { severity: "warning", code: "IST0157", field: `spec.accessLogging[${index}].providers`, message });
  });
});
