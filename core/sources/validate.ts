import type { Registry } from "@bufbuild/protobuf";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import type { Kind } from "./kinds.ts";
import type { SourceObject } from "./object.ts";
import { checkAuthorizationPolicy } from "./validate/authorization-policy.ts";
import { checkDestinationRule } from "./validate/destination-rule.ts";
import { checkEnvoyFilter } from "./validate/envoy-filter.ts";
import { collect, type Finding, type Findings } from "./validate/findings.ts";
import { checkGateway } from "./validate/gateway.ts";
import { checkMetadata } from "./validate/metadata.ts";
import { checkPeerAuthentication } from "./validate/peer-authentication.ts";
import { checkProxyConfig } from "./validate/proxy-config.ts";
import { checkRequestAuthentication } from "./validate/request-authentication.ts";
import { checkServiceEntry } from "./validate/service-entry.ts";
import { checkSidecar } from "./validate/sidecar.ts";
import { checkTelemetry } from "./validate/telemetry.ts";
import { checkTrafficExtension } from "./validate/traffic-extension.ts";
import { checkVirtualService } from "./validate/virtual-service.ts";
import { checkWasmPlugin } from "./validate/wasm.ts";
import { checkWorkloadEntry } from "./validate/workload-entry.ts";
import { checkWorkloadGroup } from "./validate/workload-group.ts";

type Check<K extends Kind> = (object: SourceObject<K>, findings: Findings, types: (() => Registry) | undefined) => void;

/** Istio's kinds; what Kubernetes itself validates is not looked at. */
const CHECKS: { readonly [K in Kind]?: Check<K> } = {
  VirtualService: checkVirtualService,
  DestinationRule: checkDestinationRule,
  ServiceEntry: checkServiceEntry,
  WorkloadEntry: checkWorkloadEntry,
  WorkloadGroup: checkWorkloadGroup,
  Sidecar: checkSidecar,
  Gateway: checkGateway,
  EnvoyFilter: checkEnvoyFilter,
  PeerAuthentication: checkPeerAuthentication,
  RequestAuthentication: checkRequestAuthentication,
  AuthorizationPolicy: checkAuthorizationPolicy,
  Telemetry: checkTelemetry,
  WasmPlugin: checkWasmPlugin,
  TrafficExtension: checkTrafficExtension,
  ProxyConfig: checkProxyConfig,
};

/**
 * What Istio's admission says of one object alone (istio `pkg/config/validation`); an entry with `refused` leaves the object out.
 * `types` are Envoy's messages: without them the values of EnvoyFilters are not looked at.
 */
export function validate(object: SourceObject, types?: () => Registry): readonly Diagnostic[] {
  const check = CHECKS[object.key.kind] as Check<Kind> | undefined;
  if (check === undefined) return [];
  const found: Finding[] = [];
  const findings = collect(found);
  if (!checkMetadata(object, findings)) check(object, findings, types);
  return found.map(({ severity, code, field, message }) => ({
    severity,
    code,
    check: "validation",
    refused: severity === "error",
    key: object.key,
    field,
    message,
    ...object.origin,
  }));
}
