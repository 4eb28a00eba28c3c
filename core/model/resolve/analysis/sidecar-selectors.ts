import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { groupBy } from "#core/lib/group.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { entryPath } from "#core/sources/validate/findings.ts";
import { diagnose, listText, selectorText } from "./diagnose.ts";
import { overlaps } from "./selector-overlaps.ts";
import type { Workloads } from "./workloads.ts";

type SidecarObject = SourceObject<"Sidecar">;

/** Sidecars that select nothing, or what others of their namespace select too (istio `analyzers/sidecar/selector.go`). */
export const checkSidecars = memoize(
  (sidecars: readonly SidecarObject[], namespaces: readonly SourceObject<"Namespace">[], workloads: Workloads): readonly Diagnostic[] => {
    const selective = sidecars.filter((one) => Object.keys(labelsOf(one)).length > 0);
    const general = sidecars.filter((one) => Object.keys(labelsOf(one)).length === 0);
    return [...checkSelective(selective, workloads), ...checkGeneral(general, namespaces)];
  },
);

function labelsOf({ spec }: SidecarObject): Readonly<Record<string, string>> {
  return spec.workloadSelector?.labels ?? {};
}

function checkSelective(sidecars: readonly SidecarObject[], workloads: Workloads): readonly Diagnostic[] {
  if (workloads.unknown) return [];
  const rivals = overlaps(sidecars, labelsOf, workloads);
  return sidecars.flatMap((sidecar) => {
    const labels = labelsOf(sidecar);
    const selected = workloads.find(labels, sidecar.key.namespace);
    if (selected.length === 0) {
      const field = entryPath("spec.workloadSelector.labels", Object.keys(labels).sort()[0] ?? "");
      const message = `selects the workloads with ${selectorText(labels)}, but namespace ${sidecar.key.namespace} has none: it has no effect`;
      return diagnose(sidecar, { severity: "error", code: "IST0101", field, message });
    }
    if (selected.some(({ ambient }) => ambient)) return ineffective(sidecar, "selects workloads in ambient mode, which have no sidecar");
    const others = rivals(sidecar);
    if (others.length === 0) return [];
    const message = `selects workloads that Sidecar ${listText(others)} selects too: only the oldest counts for these; let each select its own`;
    return diagnose(sidecar, { severity: "error", code: "IST0110", field: "spec.workloadSelector", message });
  });
}

const AMBIENT = "istio.io/dataplane-mode";

function checkGeneral(sidecars: readonly SidecarObject[], namespaces: readonly SourceObject<"Namespace">[]): readonly Diagnostic[] {
  const ambient = new Set(namespaces.filter(isAmbient).map(({ key }) => key.name));
  return [...groupBy(sidecars, ({ key }) => key.namespace)].flatMap(([namespace, group]) => {
    if (ambient.has(namespace))
      return group.flatMap((one) => ineffective(one, "is for a namespace in ambient mode, where workloads have no sidecar"));
    return group.length < 2 ? [] : group.flatMap((one) => rivalled(one, group));
  });
}

function rivalled(sidecar: SidecarObject, group: readonly SidecarObject[]): readonly Diagnostic[] {
  const others = group.filter((one) => one !== sidecar).map(({ key }) => key.name);
  const message =
    `has no workload selector, as has Sidecar ${listText(others)} in the same namespace ${sidecar.key.namespace}: only the oldest counts; ` +
    "keep one, or let the others select workloads";
  return diagnose(sidecar, { severity: "error", code: "IST0111", field: "spec.workloadSelector", message });
}

function ineffective(sidecar: SidecarObject, reason: string): readonly Diagnostic[] {
  return diagnose(sidecar, { severity: "warning", code: "IST0167", field: "spec.workloadSelector", message: `${reason}: it has no effect` });
}

/** A label that asks for sidecars goes before (istio `analyzers/util/in_mesh.go` NamespaceInAmbientMode). */
function isAmbient({ labels }: SourceObject<"Namespace">): boolean {
  return labels["istio-injection"] !== "enabled" && !labels["istio.io/rev"] && labels[AMBIENT] === "ambient";
}
