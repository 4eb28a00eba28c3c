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
  (policies: readonly PolicyObject[], { rootNamespace }: MeshConfig, workloads: Workloads): readonly Diagnostic[] =>
    workloads.unknown ? [] : policies.filter(isForWorkloads).flatMap((policy) => checkWorkloads(policy, rootNamespace, workloads)),
);

function isForWorkloads({ spec }: PolicyObject): boolean {
  return spec.targetRef === undefined && spec.targetRefs.length === 0;
}

function checkWorkloads(policy: PolicyObject, rootNamespace: string, workloads: Workloads): readonly Diagnostic[] {
  const { key, spec } = policy;
  const isRoot = key.namespace === rootNamespace;
  if (isRoot && spec.selector === undefined) return [];
  const labels = spec.selector?.matchLabels ?? {};
  if (workloads.find(labels, isRoot ? undefined : key.namespace).length > 0) return [];
  const place = isRoot ? "no namespace has" : `namespace ${key.namespace} does not have`;
  const what = spec.selector === undefined ? "any" : `any with ${selectorText(labels)}`;
  const message = `falls on no workload: ${place} ${what}; correct the selector, or remove the policy`;
  return diagnose(policy, { severity: "warning", code: "IST0127", field: "spec.selector", message });
}

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
