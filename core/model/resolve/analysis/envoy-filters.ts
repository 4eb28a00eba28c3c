import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import {
  EnvoyFilter_ApplyTo as ApplyTo,
  type EnvoyFilter_EnvoyConfigObjectPatch as ConfigPatch,
  EnvoyFilter_Patch_Operation as Operation,
} from "#proto/networking/v1alpha3/envoy_filter_pb.js";
import { diagnose, type Remark } from "./diagnose.ts";

/** Patches that do nothing where they are applied, or that hang on what others made before (istio `analyzers/envoyfilter/envoyfilter.go`). */
export const checkEnvoyFilters = memoize((filters: readonly SourceObject<"EnvoyFilter">[]): readonly Diagnostic[] => {
  const versioned = new Set<string>();
  return filters.flatMap((filter) =>
    filter.spec.configPatches.flatMap((patch, index) => {
      const remark = remarkOn(patch, filter.spec.priority, versioned.has(targetOf(patch)));
      if (patch.match?.proxy?.proxyVersion) versioned.add(targetOf(patch));
      return remark === undefined ? [] : diagnose(filter, { ...remark, field: `spec.configPatches[${index}].patch.operation` });
    }),
  );
});

/** The name of what a patch brings, or of the filter that it looks for where it brings a value without one. */
function targetOf({ patch, match }: ConfigPatch): string {
  const name = patch?.value?.name;
  if (patch?.value === undefined) return "";
  if (typeof name === "string") return `value ${name}`;
  const { objectTypes } = match ?? {};
  return objectTypes?.case === "listener" ? `filter ${objectTypes.value.filterChain?.filter?.name ?? ""}` : "";
}

const ROUTE_PARTS: ReadonlySet<ApplyTo> = new Set([ApplyTo.ROUTE_CONFIGURATION, ApplyTo.HTTP_ROUTE]);
const REPLACEABLE: ReadonlySet<ApplyTo> = new Set([ApplyTo.NETWORK_FILTER, ApplyTo.HTTP_FILTER, ApplyTo.VIRTUAL_HOST]);
const RELATIVE: ReadonlySet<Operation> = new Set([Operation.REMOVE, Operation.REPLACE, Operation.INSERT_BEFORE, Operation.INSERT_AFTER]);

function remarkOn({ applyTo, patch }: ConfigPatch, priority: number, versioned: boolean): Omit<Remark, "field"> | undefined {
  if (patch === undefined) return undefined;
  const { operation } = patch;
  const ignored = `${Operation[operation]} has no effect on ${ApplyTo[applyTo]}`;
  if (operation === Operation.ADD && ROUTE_PARTS.has(applyTo))
    return { severity: "error", code: "IST0153", message: `${ignored}: use another operation` };
  if (operation === Operation.REMOVE && ROUTE_PARTS.has(applyTo)) {
    return { severity: "error", code: "IST0154", message: `${ignored}: use another operation` };
  }
  if (operation === Operation.REPLACE && !REPLACEABLE.has(applyTo)) {
    return { severity: "error", code: "IST0152", message: `${ignored}, only on NETWORK_FILTER, HTTP_FILTER and VIRTUAL_HOST` };
  }
  if (!RELATIVE.has(operation) || priority !== 0) return undefined;
  const message = `${Operation[operation]} depends on what other EnvoyFilters did before, and no priority says which those are`;
  if (!versioned) return { severity: "warning", code: "IST0151", message: `${message}: set one, or use INSERT_FIRST or ADD` };
  return {
    severity: "warning",
    code: "IST0155",
    message: `${message}; another patch for the same is for certain proxy versions only, so that an upgrade may undo this: set one`,
  };
}
