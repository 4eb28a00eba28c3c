import type { TrafficExtension } from "#proto/extensions/v1alpha1/traffic_extension_pb.js";
import type { WasmPlugin } from "#proto/extensions/v1alpha1/wasm_pb.js";
import type { DestinationRule } from "#proto/networking/v1alpha3/destination_rule_pb.js";
import type { EnvoyFilter } from "#proto/networking/v1alpha3/envoy_filter_pb.js";
import type { Gateway } from "#proto/networking/v1alpha3/gateway_pb.js";
import type { ServiceEntry, ServiceEntryStatus } from "#proto/networking/v1alpha3/service_entry_pb.js";
import type { Sidecar } from "#proto/networking/v1alpha3/sidecar_pb.js";
import type { VirtualService } from "#proto/networking/v1alpha3/virtual_service_pb.js";
import type { WorkloadEntry } from "#proto/networking/v1alpha3/workload_entry_pb.js";
import type { WorkloadGroup } from "#proto/networking/v1alpha3/workload_group_pb.js";
import type { ProxyConfig } from "#proto/networking/v1beta1/proxy_config_pb.js";
import type { AuthorizationPolicy } from "#proto/security/v1beta1/authorization_policy_pb.js";
import type { PeerAuthentication } from "#proto/security/v1beta1/peer_authentication_pb.js";
import type { RequestAuthentication } from "#proto/security/v1beta1/request_authentication_pb.js";
import type { Telemetry } from "#proto/telemetry/v1alpha1/telemetry_pb.js";
import type {
  KubeConfigMap,
  KubeDeployment,
  KubeEndpointSlice,
  KubeNamespace,
  KubeNode,
  KubePod,
  KubeSecret,
  KubeService,
  Verbatim,
} from "./kubernetes.ts";

/**
 * Every kind that Pilot reads, and Deployment, which its analysis does, with the type of its projected spec (status folded in where translation reads it).
 * Names are Istio's internal ones (`pkg/config/schema/kind`): Gateway API's Gateway is `KubernetesGateway`.
 */
export interface Specs {
  readonly Service: KubeService;
  readonly Pod: KubePod;
  readonly EndpointSlice: KubeEndpointSlice;
  readonly Node: KubeNode;
  readonly Namespace: KubeNamespace;
  readonly Secret: KubeSecret;
  readonly ConfigMap: KubeConfigMap;
  readonly Deployment: KubeDeployment;
  readonly VirtualService: VirtualService;
  readonly DestinationRule: DestinationRule;
  readonly Gateway: Gateway;
  readonly Sidecar: Sidecar;
  readonly EnvoyFilter: EnvoyFilter;
  readonly WorkloadGroup: WorkloadGroup;
  readonly ServiceEntry: { readonly entry: ServiceEntry; readonly status?: ServiceEntryStatus };
  /** `healthy`: the condition of that name; absent if the object has none (Istio then goes by its health-check annotation). */
  readonly WorkloadEntry: { readonly entry: WorkloadEntry; readonly healthy?: boolean };
  readonly ProxyConfig: ProxyConfig;
  /** `noPorts`: `portLevelMtls` is there and empty, which is refused. */
  readonly PeerAuthentication: PeerAuthentication & { readonly noPorts?: true };
  readonly RequestAuthentication: RequestAuthentication;
  readonly AuthorizationPolicy: AuthorizationPolicy;
  readonly Telemetry: Telemetry;
  readonly WasmPlugin: WasmPlugin;
  readonly TrafficExtension: TrafficExtension;
  readonly GatewayClass: Verbatim;
  readonly KubernetesGateway: Verbatim;
  readonly HTTPRoute: Verbatim;
  readonly GRPCRoute: Verbatim;
  readonly TCPRoute: Verbatim;
  readonly TLSRoute: Verbatim;
  readonly UDPRoute: Verbatim;
  readonly ReferenceGrant: Verbatim;
  readonly BackendTLSPolicy: Verbatim;
  readonly XBackendTrafficPolicy: Verbatim;
  readonly ListenerSet: Verbatim;
  readonly InferencePool: Verbatim;
  readonly Ingress: Verbatim;
  readonly IngressClass: Verbatim;
  readonly ServiceExport: Verbatim;
  readonly ServiceImport: Verbatim;
}
export type Kind = keyof Specs;
export type Spec<K extends Kind> = Specs[K];
