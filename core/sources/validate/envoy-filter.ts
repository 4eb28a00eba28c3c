import type { Registry } from "@bufbuild/protobuf";
import { regexProblem } from "#core/lib/re2.ts";
import {
  EnvoyFilter_ApplyTo as ApplyTo,
  type EnvoyFilter_EnvoyConfigObjectMatch as Match,
  EnvoyFilter_Patch_Operation as Operation,
  type EnvoyFilter_EnvoyConfigObjectPatch as Patch,
  EnvoyFilter_PatchContext as PatchContext,
} from "#proto/networking/v1alpha3/envoy_filter_pb.js";
import type { SourceObject } from "../object.ts";
import { deprecatedFilterProblem } from "./deprecated-filters.ts";
import { checkPatchValue } from "./envoy-patch.ts";
import type { Findings } from "./findings.ts";
import { checkSelectorLabels } from "./selector.ts";

/** Istio's ValidateEnvoyFilter; `types` are Envoy's messages, without which the values of patches are not looked at. */
export function checkEnvoyFilter({ spec }: SourceObject<"EnvoyFilter">, findings: Findings, types: (() => Registry) | undefined): void {
  const { workloadSelector: selector, configPatches } = spec;
  if (checkSelectorLabels(selector?.labels ?? {}, "spec.workloadSelector.labels", findings)) return;
  findings.warning("spec", "an EnvoyFilter depends on how things are done inside, which may change with any version");
  if (selector !== undefined && Object.keys(selector.labels).length === 0) {
    findings.warning("spec.workloadSelector", "a selector without labels selects every workload of the namespace");
  }
  for (const [index, patch] of configPatches.entries()) {
    const path = `spec.configPatches[${index}]`;
    if (patch.match?.context === PatchContext.WAYPOINT) continue;
    const problem = missingPart(patch) ?? versionProblem(patch.match) ?? filterMatchProblem(patch);
    findings.error(`${path}${problem?.field ?? ""}`, problem?.message);
    if (problem !== undefined) continue;
    checkMatch(patch, `${path}.match`, findings);
    checkPatchValue(patch, `${path}.patch.value`, findings, types?.());
  }
}

interface Problem {
  readonly field: string;
  readonly message: string;
}

function missingPart({ applyTo, patch }: Patch): Problem | undefined {
  if (applyTo === ApplyTo.INVALID) return { field: ".applyTo", message: "required" };
  if (patch === undefined) return { field: ".patch", message: "required" };
  if (patch.operation === Operation.INVALID) return { field: ".patch.operation", message: "required" };
  if (patch.operation !== Operation.REMOVE && patch.value === undefined) return { field: ".patch.value", message: "only REMOVE has no value" };
  return undefined;
}

const VERSION_LENGTH = 1024;

function versionProblem(match: Match | undefined): Problem | undefined {
  const version = match?.proxy?.proxyVersion ?? "";
  const problem = version.length > VERSION_LENGTH ? undefined : regexProblem(version);
  return problem === undefined ? undefined : { field: ".match.proxy.proxyVersion", message: `not a valid RE2 regular expression: ${problem}` };
}

const LISTENER_PARTS: ReadonlySet<ApplyTo> = new Set([ApplyTo.LISTENER, ApplyTo.FILTER_CHAIN, ApplyTo.NETWORK_FILTER, ApplyTo.HTTP_FILTER]);
const ROUTE_PARTS: ReadonlySet<ApplyTo> = new Set([ApplyTo.ROUTE_CONFIGURATION, ApplyTo.VIRTUAL_HOST, ApplyTo.HTTP_ROUTE]);
const CONNECTION_MANAGERS: ReadonlySet<string> = new Set(["envoy.filters.network.http_connection_manager", "envoy.http_connection_manager"]);

/** Mistakes in a listener match after which Istio looks no further at the patch. */
function filterMatchProblem({ applyTo, match }: Patch): Problem | undefined {
  if (!LISTENER_PARTS.has(applyTo) || match?.objectTypes.case === undefined) return undefined;
  if (match.objectTypes.case !== "listener") return { field: ".match", message: "must match listeners" };
  const filter = match.objectTypes.value.filterChain?.filter;
  if (filter === undefined) return undefined;
  const at = ".match.listener.filterChain.filter";
  if (filter.name === "") return { field: `${at}.name`, message: "required" };
  if (filter.subFilter === undefined) return undefined;
  if (applyTo !== ApplyTo.HTTP_FILTER) return { field: `${at}.subFilter`, message: "is for HTTP_FILTER alone" };
  if (!CONNECTION_MANAGERS.has(filter.name))
    return { field: `${at}.name`, message: "must be the HTTP connection manager, whose filters subFilter names" };
  return filter.subFilter.name === "" ? { field: `${at}.subFilter.name`, message: "required" } : undefined;
}

function checkMatch({ applyTo, match }: Patch, path: string, findings: Findings): void {
  if ((match?.proxy?.proxyVersion.length ?? 0) > VERSION_LENGTH) findings.warning(`${path}.proxy.proxyVersion`, "is too long, and so is ignored");
  if (match?.objectTypes.case === undefined) return;
  const { case: kind, value } = match.objectTypes;
  if (ROUTE_PARTS.has(applyTo) && kind !== "routeConfiguration") findings.error(path, "must match route configurations");
  if (applyTo === ApplyTo.CLUSTER && kind !== "cluster") findings.error(path, "must match clusters");
  if (!LISTENER_PARTS.has(applyTo) || kind !== "listener") return;
  const filter = value.filterChain?.filter;
  const at = `${path}.listener.filterChain.filter`;
  const unused = filter !== undefined && (applyTo === ApplyTo.LISTENER || applyTo === ApplyTo.FILTER_CHAIN);
  if (unused) findings.warning(at, `has no effect with ${ApplyTo[applyTo]}`);
  findings.warning(`${at}.name`, deprecatedFilterProblem(filter?.name));
  findings.warning(`${at}.subFilter.name`, deprecatedFilterProblem(filter?.subFilter?.name));
}
