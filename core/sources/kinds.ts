import type { EnvoyFilter } from "#proto/networking/v1alpha3/envoy_filter_pb.js";
import type { DestinationRule } from "#proto/networking/v1alpha3/destination_rule_pb.js";
import type { Gateway } from "#proto/networking/v1alpha3/gateway_pb.js";
import type { ServiceEntry, ServiceEntryStatus } from "#proto/networking/v1alpha3/service_entry_pb.js";
import type { Sidecar } from "#proto/networking/v1alpha3/sidecar_pb.js";
import type { VirtualService } from "#proto/networking/v1alpha3/virtual_service_pb.js";
import type { WorkloadEntry } from "#proto/networking/v1alpha3/workload_entry_pb.js";
import type { WorkloadGroup } from "#proto/networking/v1alpha3/workload_group_pb.js";
import type { KubeConfigMap, KubeEndpointSlice, KubeNamespace, KubeNode, KubePod, KubeSecret, KubeService, Verbatim } from "./kubernetes.ts";

/**
 * Every kind that Pilot reads, with the type of its projected spec (status folded in where translation reads it).
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
  readonly VirtualService: VirtualService;
  readonly DestinationRule: DestinationRule;
  readonly Gateway: Gateway;
  readonly Sidecar: Sidecar;
  readonly EnvoyFilter: EnvoyFilter;
  readonly WorkloadGroup: WorkloadGroup;
  readonly ServiceEntry: { readonly entry: ServiceEntry; readonly status?: ServiceEntryStatus };
  readonly WorkloadEntry: { readonly entry: WorkloadEntry; readonly healthy?: boolean };
}
export type Kind = keyof Specs;
export type Spec<K extends Kind> = Specs[K];
