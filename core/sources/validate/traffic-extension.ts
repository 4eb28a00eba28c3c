import type { SourceObject } from "../object.ts";
import type { Findings } from "./findings.ts";
import { checkTargeting } from "./selector.ts";
import { checkModule, checkTrafficSelectors } from "./wasm.ts";

/** Istio's ValidateTrafficExtension. */
export function checkTrafficExtension({ spec }: SourceObject<"TrafficExtension">, findings: Findings): void {
  const { filterConfig } = spec;
  if (filterConfig.case === undefined) findings.error("spec", "wasm or lua is required");
  checkTargeting(spec, findings);
  if (filterConfig.case === "wasm") checkModule(filterConfig.value, "spec.wasm", findings);
  if (filterConfig.case === "lua") findings.error("spec.lua.inlineCode", codeProblem(filterConfig.value.inlineCode));
  checkTrafficSelectors(spec.match, findings);
}

function codeProblem(code: string): string | undefined {
  if (code === "") return "required";
  return new TextEncoder().encode(code).length > 65536 ? "must be at most 64 KB" : undefined;
}
