import { celProblem } from "#core/lib/cel.ts";
import {
  type Metrics,
  type MetricsOverrides,
  MetricsOverrides_TagOverride_Operation as Operation,
  type ProviderRef,
  type Tracing,
} from "#proto/telemetry/v1alpha1/telemetry_pb.js";
import type { SourceObject } from "../object.ts";
import { entryPath, type Findings } from "./findings.ts";
import { checkTargeting } from "./selector.ts";

/** Istio's ValidateTelemetry. */
export function checkTelemetry({ spec }: SourceObject<"Telemetry">, findings: Findings): void {
  checkTargeting(spec, findings);
  for (const [index, metrics] of spec.metrics.entries()) checkMetrics(metrics, `spec.metrics[${index}]`, findings);
  if (spec.tracing.length > 1) findings.warning("spec.tracing", "only one entry is supported");
  for (const [index, tracing] of spec.tracing.entries()) checkTracing(tracing, `spec.tracing[${index}]`, findings);
  for (const [index, { filter, providers }] of spec.accessLogging.entries()) {
    const path = `spec.accessLogging[${index}]`;
    if (filter !== undefined) findings.error(`${path}.filter.expression`, expressionProblem(filter.expression));
    checkProviders(providers, path, findings);
  }
}

function expressionProblem(expression: string): string | undefined {
  const problem = celProblem(expression);
  return problem === undefined ? undefined : `not a valid CEL expression: ${problem}`;
}

function checkProviders(providers: readonly ProviderRef[], path: string, findings: Findings): void {
  for (const [index, { name }] of providers.entries()) if (name === "") findings.error(`${path}.providers[${index}].name`, "must not be empty");
}

function checkMetrics({ providers, overrides }: Metrics, path: string, findings: Findings): void {
  checkProviders(providers, path, findings);
  for (const [index, { tagOverrides, match }] of overrides.entries()) {
    const at = `${path}.overrides[${index}]`;
    checkTagOverrides(tagOverrides, `${at}.tagOverrides`, findings);
    if (match?.metricMatch.case === "customMetric" && match.metricMatch.value === "") findings.error(`${at}.match.customMetric`, "must not be empty");
  }
}

function checkTagOverrides(tags: MetricsOverrides["tagOverrides"], path: string, findings: Findings): void {
  for (const [name, { operation, value }] of Object.entries(tags)) {
    const at = `${entryPath(path, name)}.value`;
    if (name === "") findings.warning(path, "a tag's name must not be empty");
    if (operation === Operation.UPSERT && value === "") findings.error(at, "required for UPSERT");
    if (operation === Operation.REMOVE && value !== "") findings.error(at, "is for UPSERT alone");
  }
}

function checkTracing(tracing: Tracing, path: string, findings: Findings): void {
  const { providers, randomSamplingPercentage: share = 0, customTags } = tracing;
  if (providers.length > 1) findings.warning(`${path}.providers`, "only one provider is supported");
  checkProviders(providers, path, findings);
  if (share < 0 || share > 100) findings.error(`${path}.randomSamplingPercentage`, "must be in the range 0 to 100");
  for (const [name, { type }] of Object.entries(customTags)) {
    const at = entryPath(`${path}.customTags`, name);
    if (name === "") findings.error(`${path}.customTags`, "a tag's name must not be empty");
    if (type.case === "literal" && type.value.value === "") findings.error(`${at}.literal.value`, "must not be empty");
    if (type.case === "header" && type.value.name === "") findings.error(`${at}.header.name`, "must not be empty");
    if (type.case === "environment" && type.value.name === "") findings.error(`${at}.environment.name`, "must not be empty");
  }
}
