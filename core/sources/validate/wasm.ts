import { parseGoUrl } from "#core/lib/go-url.ts";
import { EnvValueSource, type VmConfig } from "#proto/extensions/v1alpha1/wasm_pb.js";
import type { PortSelector } from "#proto/type/v1beta1/selector_pb.js";
import type { SourceObject } from "../object.ts";
import type { Findings } from "./findings.ts";
import { portProblem } from "./numbers.ts";
import { checkTargeting } from "./selector.ts";

/** Istio's ValidateWasmPlugin. */
export function checkWasmPlugin({ spec }: SourceObject<"WasmPlugin">, findings: Findings): void {
  checkTargeting(spec, findings);
  checkModule(spec, "spec", findings);
  checkTrafficSelectors(spec.match, findings);
}

/** A module to fetch and how to run it. */
export interface Module {
  readonly url: string;
  readonly sha256: string;
  readonly imagePullSecret: string;
  readonly pluginName: string;
  readonly vmConfig?: VmConfig | undefined;
}

/** Where a module comes from, and what it is given (istio ValidateWasmPlugin). */
export function checkModule(module: Module, path: string, findings: Findings): void {
  findings.error(`${path}.url`, urlProblem(module.url));
  if (module.sha256 !== "" && !/^[a-f0-9]{64}$/.test(module.sha256)) findings.error(`${path}.sha256`, "must be 64 of the characters a-f and 0-9");
  if (byteLength(module.imagePullSecret) > 253) findings.error(`${path}.imagePullSecret`, "must be at most 253 characters long");
  if (byteLength(module.pluginName) > 256) findings.error(`${path}.pluginName`, "must be at most 256 characters long");
  checkEnvironment(module.vmConfig, `${path}.vmConfig`, findings);
}

/** Which of a workload's traffic passes through an extension. */
export function checkTrafficSelectors(match: readonly { readonly ports: readonly PortSelector[] }[], findings: Findings): void {
  for (const [index, { ports }] of match.entries()) {
    for (const [place, { number }] of ports.entries()) findings.error(`spec.match[${index}].ports[${place}].number`, portProblem(number));
  }
}

const SCHEMES: ReadonlySet<string> = new Set(["", "file", "http", "https", "oci"]);

/** Without a scheme it names an OCI image; `host:5000/image` alone would be read as a URL of scheme "host". */
function urlProblem(url: string): string | undefined {
  if (url === "") return "required";
  const whole = parseGoUrl(url, "request") === undefined ? `http://${url}` : url;
  const parsed = parseGoUrl(whole, "request");
  if (parsed === undefined || parseGoUrl(whole, "reference") === undefined) return `"${url}" is not a URL`;
  return SCHEMES.has(parsed.scheme) ? undefined : `"${parsed.scheme}" is not one of the schemes file, http, https and oci`;
}

function checkEnvironment(config: VmConfig | undefined, path: string, findings: Findings): void {
  const names = new Set<string>();
  for (const [index, { name, value, valueFrom }] of (config?.env ?? []).entries()) {
    const at = `${path}.env[${index}]`;
    if (name === "" || byteLength(name) > 256) findings.error(`${at}.name`, "must have between 1 and 256 characters");
    if (names.has(name)) findings.error(`${at}.name`, `there is a variable "${name}" already`);
    names.add(name);
    if (valueFrom !== EnvValueSource.INLINE && value !== "") findings.error(`${at}.value`, "is for valueFrom INLINE alone");
  }
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
