import type { JsonProblem } from "#core/lib/protobuf/from-json.ts";
import { TrafficExtensionSchema } from "#proto/extensions/v1alpha1/traffic_extension_pb.js";
import { WasmPluginSchema } from "#proto/extensions/v1alpha1/wasm_pb.js";
import { DestinationRuleSchema } from "#proto/networking/v1alpha3/destination_rule_pb.js";
import { EnvoyFilterSchema } from "#proto/networking/v1alpha3/envoy_filter_pb.js";
import { GatewaySchema } from "#proto/networking/v1alpha3/gateway_pb.js";
import { SidecarSchema } from "#proto/networking/v1alpha3/sidecar_pb.js";
import { VirtualServiceSchema } from "#proto/networking/v1alpha3/virtual_service_pb.js";
import { WorkloadGroupSchema } from "#proto/networking/v1alpha3/workload_group_pb.js";
import { ProxyConfigSchema } from "#proto/networking/v1beta1/proxy_config_pb.js";
import { AuthorizationPolicySchema } from "#proto/security/v1beta1/authorization_policy_pb.js";
import { RequestAuthenticationSchema } from "#proto/security/v1beta1/request_authentication_pb.js";
import { TelemetrySchema } from "#proto/telemetry/v1alpha1/telemetry_pb.js";
import type { Kind, Spec } from "../kinds.ts";
import { decodePeerAuthentication, decodeServiceEntry, decodeSpec, decodeWorkloadEntry } from "./istio.ts";
import {
  type Document,
  decodeConfigMap,
  decodeDeployment,
  decodeEndpointSlice,
  decodeNamespace,
  decodeNode,
  decodePod,
  decodeSecret,
  decodeService,
  decodeVerbatim,
} from "./kubernetes.ts";

/** How one kind is served and read (Istio's `pkg/config/schema/metadata.yaml`). */
export interface CatalogEntry<K extends Kind = Kind> {
  readonly kind: K;
  /** API group, "" for Kubernetes' core. */
  readonly group: string;
  /** The kind's name within its group. */
  readonly served: string;
  /** Every version that the group serves. */
  readonly versions: readonly string[];
  readonly clusterScoped: boolean;
  /** One of Istio's own kinds: validated, and aged by its place where it has no timestamp. */
  readonly istio: boolean;
  readonly decode: (document: Document, problems: JsonProblem[]) => Spec<K>;
}

const NETWORKING = "networking.istio.io";
const SECURITY = "security.istio.io";
const GATEWAY_API = "gateway.networking.k8s.io";
const V1 = ["v1", "v1beta1", "v1alpha3"];

const ENTRIES: { readonly [K in Kind]: CatalogEntry<K> } = {
  Service: kube("Service", "", ["v1"], decodeService),
  Pod: kube("Pod", "", ["v1"], decodePod),
  EndpointSlice: kube("EndpointSlice", "discovery.k8s.io", ["v1"], decodeEndpointSlice),
  Node: { ...kube("Node", "", ["v1"], decodeNode), clusterScoped: true },
  Namespace: { ...kube("Namespace", "", ["v1"], decodeNamespace), clusterScoped: true },
  Secret: kube("Secret", "", ["v1"], decodeSecret),
  ConfigMap: kube("ConfigMap", "", ["v1"], decodeConfigMap),
  Deployment: kube("Deployment", "apps", ["v1"], decodeDeployment),
  Ingress: kube("Ingress", "networking.k8s.io", ["v1"], decodeVerbatim),
  IngressClass: { ...kube("IngressClass", "networking.k8s.io", ["v1"], decodeVerbatim), clusterScoped: true },
  VirtualService: istio("VirtualService", NETWORKING, V1, decodeSpec(VirtualServiceSchema)),
  DestinationRule: istio("DestinationRule", NETWORKING, V1, decodeSpec(DestinationRuleSchema)),
  Gateway: istio("Gateway", NETWORKING, V1, decodeSpec(GatewaySchema)),
  Sidecar: istio("Sidecar", NETWORKING, V1, decodeSpec(SidecarSchema)),
  ServiceEntry: istio("ServiceEntry", NETWORKING, V1, decodeServiceEntry),
  WorkloadEntry: istio("WorkloadEntry", NETWORKING, V1, decodeWorkloadEntry),
  WorkloadGroup: istio("WorkloadGroup", NETWORKING, V1, decodeSpec(WorkloadGroupSchema)),
  EnvoyFilter: istio("EnvoyFilter", NETWORKING, ["v1alpha3"], decodeSpec(EnvoyFilterSchema)),
  ProxyConfig: istio("ProxyConfig", NETWORKING, ["v1beta1"], decodeSpec(ProxyConfigSchema)),
  PeerAuthentication: istio("PeerAuthentication", SECURITY, ["v1", "v1beta1"], decodePeerAuthentication),
  RequestAuthentication: istio("RequestAuthentication", SECURITY, ["v1", "v1beta1"], decodeSpec(RequestAuthenticationSchema)),
  AuthorizationPolicy: istio("AuthorizationPolicy", SECURITY, ["v1", "v1beta1"], decodeSpec(AuthorizationPolicySchema)),
  Telemetry: istio("Telemetry", "telemetry.istio.io", ["v1", "v1alpha1"], decodeSpec(TelemetrySchema)),
  WasmPlugin: istio("WasmPlugin", "extensions.istio.io", ["v1alpha1"], decodeSpec(WasmPluginSchema)),
  TrafficExtension: istio("TrafficExtension", "extensions.istio.io", ["v1alpha1"], decodeSpec(TrafficExtensionSchema)),
  GatewayClass: { ...kube("GatewayClass", GATEWAY_API, ["v1", "v1beta1", "v1alpha2"], decodeVerbatim), clusterScoped: true },
  KubernetesGateway: { ...kube("KubernetesGateway", GATEWAY_API, ["v1", "v1beta1", "v1alpha2"], decodeVerbatim), served: "Gateway" },
  HTTPRoute: kube("HTTPRoute", GATEWAY_API, ["v1", "v1beta1", "v1alpha2"], decodeVerbatim),
  GRPCRoute: kube("GRPCRoute", GATEWAY_API, ["v1", "v1alpha2"], decodeVerbatim),
  TCPRoute: kube("TCPRoute", GATEWAY_API, ["v1", "v1alpha2"], decodeVerbatim),
  TLSRoute: kube("TLSRoute", GATEWAY_API, ["v1", "v1alpha3", "v1alpha2"], decodeVerbatim),
  UDPRoute: kube("UDPRoute", GATEWAY_API, ["v1alpha2"], decodeVerbatim),
  ReferenceGrant: kube("ReferenceGrant", GATEWAY_API, ["v1", "v1beta1", "v1alpha2"], decodeVerbatim),
  BackendTLSPolicy: kube("BackendTLSPolicy", GATEWAY_API, ["v1", "v1alpha3"], decodeVerbatim),
  ListenerSet: kube("ListenerSet", GATEWAY_API, ["v1"], decodeVerbatim),
  XBackendTrafficPolicy: kube("XBackendTrafficPolicy", "gateway.networking.x-k8s.io", ["v1alpha1"], decodeVerbatim),
  InferencePool: kube("InferencePool", "inference.networking.k8s.io", ["v1"], decodeVerbatim),
  ServiceExport: kube("ServiceExport", "multicluster.x-k8s.io", ["v1alpha1"], decodeVerbatim),
  ServiceImport: kube("ServiceImport", "multicluster.x-k8s.io", ["v1alpha1"], decodeVerbatim),
};

/** Kinds by API group and name, for every version that is served. */
const BY_SERVED_NAME: ReadonlyMap<string, CatalogEntry> = new Map(
  Object.values(ENTRIES).flatMap((entry: CatalogEntry) =>
    entry.versions.map((version) => [servedName(entry.group, version, entry.served), entry] as const),
  ),
);

/** Every kind, in the catalogue's order. */
export const KINDS: readonly Kind[] = Object.keys(ENTRIES) as Kind[];

/** Finds the kind that an object's `apiVersion` and `kind` name; undefined for kinds that translation does not read. */
export function findKind(apiVersion: string, kind: string): CatalogEntry | undefined {
  const slash = apiVersion.indexOf("/");
  return BY_SERVED_NAME.get(servedName(slash < 0 ? "" : apiVersion.slice(0, slash), apiVersion.slice(slash + 1), kind));
}

function servedName(group: string, version: string, kind: string): string {
  return `${group}/${version}/${kind}`;
}

function kube<K extends Kind>(kind: K, group: string, versions: readonly string[], decode: CatalogEntry<K>["decode"]): CatalogEntry<K> {
  return { kind, group, served: kind, versions, clusterScoped: false, istio: false, decode };
}

function istio<K extends Kind>(kind: K, group: string, versions: readonly string[], decode: CatalogEntry<K>["decode"]): CatalogEntry<K> {
  return { ...kube(kind, group, versions, decode), istio: true };
}

/** Is it one of Istio's own kinds? Any kind that the catalogue lacks, but that is asked for here, was one of an Istio API group. */
export function isIstioKind(kind: string): boolean {
  return !isKind(kind) || ENTRIES[kind].istio;
}

/** Is it the (internal) name of a kind that translation reads? */
export function isKind(kind: string): kind is Kind {
  return Object.hasOwn(ENTRIES, kind);
}
