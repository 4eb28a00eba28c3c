import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { diagnose, selectorText } from "./diagnose.ts";
import type { Workloads } from "./workloads.ts";

type PolicyObject = SourceObject<"AuthorizationPolicy">;

/**
 * Policies that no workload falls under (istio `analyzers/authz/authorizationpolicies.go`). Any workload counts here, injected by Istio or not: Almanac
 * serves both.
 */
export const checkPolicyWorkloads = memoize(
  (policies: readonly PolicyObject[], { rootNamespace }: MeshConfig, workloads: Workloads): readonly Diagnostic[] => {
    if (workloads.unknown) return [];
    return policies.flatMap((policy) => {
      const { key, spec } = policy;
      if (spec.targetRef !== undefined || spec.targetRefs.length > 0) return [];
      const root = key.namespace === rootNamespace;
      if (root && spec.selector === undefined) return [];
      const labels = spec.selector?.matchLabels ?? {};
      if (workloads.find(labels, root ? undefined : key.namespace).length > 0) return [];
      const where = root ? "no namespace" : `not namespace ${key.namespace}`;
      const what = spec.selector === undefined ? "" : ` with ${selectorText(labels)}`;
      const message = `falls on no workload: ${where} has any${what}`;
      return diagnose(policy, { severity: "warning", code: "IST0127", field: "spec.selector", message });
    });
  },
);

/** Namespaces of sources that do not exist. Where no source lists namespaces, nothing can be said. */
export const checkPolicyNamespaces = memoize(
  (policies: readonly PolicyObject[], namespaces: readonly SourceObject<"Namespace">[]): readonly Diagnostic[] => {
    if (namespaces.length === 0) return [];
    const names = namespaces.map(({ key }) => key.name);
    return policies.flatMap((policy) =>
      namedNamespaces(policy).flatMap(({ field, pattern }) => {
        if (names.some((name) => fits(name, pattern))) return [];
        const message = `there is no namespace "${pattern}": nothing comes from there`;
        return diagnose(policy, { severity: "error", code: "IST0101", field, message });
      }),
    );
  },
);

function namedNamespaces({ spec }: PolicyObject): readonly { readonly field: string; readonly pattern: string }[] {
  return spec.rules.flatMap(({ from }, rule) =>
    from.flatMap(({ source }, place) =>
      (["namespaces", "notNamespaces"] as const).flatMap((part) =>
        (source?.[part] ?? []).map((pattern, index) => ({ field: `spec.rules[${rule}].from[${place}].source.${part}[${index}]`, pattern })),
      ),
    ),
  );
}

/** `*`, a suffix, a prefix, or a name in any letter case. */
function fits(name: string, pattern: string): boolean {
  if (pattern.startsWith("*")) return name.endsWith(pattern.slice(1));
  if (pattern.endsWith("*")) return name.startsWith(pattern.slice(0, -1));
  return name.toLowerCase() === pattern.toLowerCase();
}
