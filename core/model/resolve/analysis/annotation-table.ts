/** Where one of Istio's annotations belongs. */
export interface KnownAnnotation {
  /** Kinds that may have it; absent: any. */
  readonly kinds?: readonly string[];
  readonly deprecated: boolean;
}

const POD = [
  "ambient.istio.io/bypass-inbound-capture",
  "ambient.istio.io/dns-capture",
  "ambient.istio.io/redirection",
  "inject.istio.io/templates",
  "istio.io/reroute-virtual-interfaces",
  "prometheus.istio.io/merge-metrics",
  "proxy.istio.io/config",
  "proxy.istio.io/overrides",
  "readiness.status.sidecar.istio.io/applicationPorts",
  "readiness.status.sidecar.istio.io/failureThreshold",
  "readiness.status.sidecar.istio.io/initialDelaySeconds",
  "readiness.status.sidecar.istio.io/periodSeconds",
  "sidecar.istio.io/agentLogLevel",
  "sidecar.istio.io/bootstrapOverride",
  "sidecar.istio.io/componentLogLevel",
  "sidecar.istio.io/interceptionMode",
  "sidecar.istio.io/logLevel",
  "sidecar.istio.io/nativeSidecar",
  "sidecar.istio.io/proxyCPU",
  "sidecar.istio.io/proxyCPULimit",
  "sidecar.istio.io/proxyImage",
  "sidecar.istio.io/proxyImageType",
  "sidecar.istio.io/proxyMemory",
  "sidecar.istio.io/proxyMemoryLimit",
  "sidecar.istio.io/rewriteAppHTTPProbers",
  "sidecar.istio.io/statsEvictionInterval",
  "sidecar.istio.io/statsFlushInterval",
  "sidecar.istio.io/statsHistogramBins",
  "sidecar.istio.io/statsHistogramBuckets",
  "sidecar.istio.io/userVolume",
  "sidecar.istio.io/userVolumeMount",
  "status.sidecar.istio.io/port",
  "traffic.sidecar.istio.io/excludeInboundPorts",
  "traffic.sidecar.istio.io/excludeInterfaces",
  "traffic.sidecar.istio.io/excludeOutboundIPRanges",
  "traffic.sidecar.istio.io/excludeOutboundPorts",
  "traffic.sidecar.istio.io/includeInboundPorts",
  "traffic.sidecar.istio.io/includeOutboundIPRanges",
  "traffic.sidecar.istio.io/includeOutboundPorts",
] as const;

const DEPRECATED_ON_PODS = [
  "sidecar.istio.io/discoveryAddress",
  "sidecar.istio.io/extraStatTags",
  "sidecar.istio.io/inject",
  "sidecar.istio.io/statsCompression",
  "sidecar.istio.io/statsInclusionPrefixes",
  "sidecar.istio.io/statsInclusionRegexps",
  "sidecar.istio.io/statsInclusionSuffixes",
  "traffic.sidecar.istio.io/kubevirtInterfaces",
] as const;

const DEPRECATED_ON_SERVICES = ["alpha.istio.io/canonical-serviceaccounts", "alpha.istio.io/kubernetes-serviceaccounts"] as const;

const ELSEWHERE: readonly (readonly [name: string, kinds: readonly string[]])[] = [
  ["ambient.istio.io/waypoint-inbound-binding", ["GatewayClass", "Gateway"]],
  ["gateway.istio.io/name-override", ["Gateway"]],
  ["gateway.istio.io/service-account", ["Gateway"]],
  ["istio.io/autoRegistrationGroup", ["WorkloadEntry"]],
  ["istio.io/connectedAt", ["WorkloadEntry"]],
  ["istio.io/disconnectedAt", ["WorkloadEntry"]],
  ["istio.io/dry-run", ["AuthorizationPolicy"]],
  ["istio.io/use-waypoint-canary-weight", ["Service", "ServiceEntry", "Namespace"]],
  ["istio.io/workloadController", ["WorkloadEntry"]],
  ["kubernetes.io/ingress.class", ["Ingress"]],
  ["networking.istio.io/exportTo", ["Service"]],
  ["networking.istio.io/service-type", ["Gateway"]],
  ["networking.istio.io/traffic-distribution", ["Namespace", "Service", "ServiceEntry"]],
  ["topology.istio.io/controlPlaneClusters", ["Namespace"]],
  ["traffic.istio.io/nodeSelector", ["Service"]],
];

/** Istio's annotations (istio `api/annotation/annotations.yaml` at 1.31), without those that its own parts write. */
export const KNOWN_ANNOTATIONS: ReadonlyMap<string, KnownAnnotation> = new Map<string, KnownAnnotation>([
  ["galley.istio.io/analyze-suppress", { deprecated: false }],
  ...POD.map((name) => [name, { kinds: ["Pod"], deprecated: false }] as const),
  ...DEPRECATED_ON_PODS.map((name) => [name, { kinds: ["Pod"], deprecated: true }] as const),
  ...DEPRECATED_ON_SERVICES.map((name) => [name, { kinds: ["Service"], deprecated: true }] as const),
  ...ELSEWHERE.map(([name, kinds]) => [name, { kinds, deprecated: false }] as const),
]);

/** Written by Istio's own parts wherever they like (istio `analyzers/maturity/maturity.go` AlwaysIgnoredAnnotations). */
export const WRITTEN_BY_ISTIO: ReadonlySet<string> = new Set(["sidecar.istio.io/status", "gateway.istio.io/controller-version", "istio.io/rev"]);
