import { compareText } from "#core/lib/compare.ts";
import type { ExportTo } from "../service.ts";

/** Everybody may see it. */
export const PUBLIC: ExportTo = { kind: "public" };
/** Nobody may. */
export const HIDDEN: ExportTo = { kind: "none" };

/**
 * Who may see an object of `namespace`: "*" means everybody whatever stands beside it, then "~" nobody, "." the own namespace
 * (istio `push_context.go` initServiceRegistry). `values` is what the object says, or the mesh's default where it says nothing.
 */
export function resolveExportTo(values: readonly string[], namespace: string): ExportTo {
  if (values.includes("*")) return PUBLIC;
  if (values.includes("~")) return HIDDEN;
  const namespaces = new Set(values.map((value) => (value === "." ? namespace : value)));
  return { kind: "namespaces", namespaces: [...namespaces].sort(compareText) };
}

/** May objects of `client` see it? */
export function isVisible(exportTo: ExportTo, client: string): boolean {
  return exportTo.kind === "public" || (exportTo.kind === "namespaces" && exportTo.namespaces.includes(client));
}
