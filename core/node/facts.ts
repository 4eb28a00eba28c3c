import type { AddressTarget, PodEntry } from "./directory.ts";
import type { Locality } from "./locality.ts";

/** Which spelling a node is answered in: Istio's own proxy, plain Envoy, or proxyless gRPC (DESIGN 4). */
export type Dialect = "istio-proxy" | "envoy" | "grpc";

/** What a node itself announces and translation reads as it is: normalised metadata, one field per key. */
export interface ProxyFeatures {
  /** `ISTIO_VERSION` as [major, minor, patch]; absent: newest. */
  readonly version?: readonly [number, number, number];
  readonly families: "v4" | "v6" | "dual";
  /** Family of all addresses in `INSTANCE_IPS`; `v4` if they are mixed, or there are none. */
  readonly instanceFamily: "v4" | "v6";
  readonly interception: "REDIRECT" | "TPROXY" | "NONE";
  readonly http10: boolean;
  readonly dnsCapture: boolean;
  readonly dnsAutoAllocate: boolean;
  readonly dnsProxyAddress: string;
  /** Nanosecond-exact text of a Go duration is already parsed here. */
  readonly idleTimeout?: { readonly seconds: number; readonly nanos: number };
  /** Beats the mesh's, also with 0 for none. */
  readonly httpProxyPort?: number;
  readonly unprivileged: boolean;
  /** Ports that the proxy serves itself, as announced (`ENVOY_STATUS_PORT`, `ENVOY_PROMETHEUS_PORT` and their secure kind, `ENVOY_ADMIN_PORT`), 0 included. */
  readonly ownPorts: readonly number[];
  readonly inboundExactBalance: boolean;
  readonly outboundExactBalance: boolean;
  readonly tlsClientCertChain: string;
  readonly tlsClientKey: string;
  readonly tlsClientRootCert: string;
  readonly tlsServerCertChain: string;
  readonly tlsServerKey: string;
  readonly tlsServerRootCert: string;
  /** A Secret of the node's namespace that holds its own certificate (`TLS_CREDENTIAL`); "" if none. */
  readonly tlsCredential: string;
  /** `REQUESTED_NETWORK_VIEW`: absent means every network. */
  readonly networkView?: readonly string[];
  /** `DISABLE_HBONE_SEND`, or a dialect without tunnels. */
  readonly avoidsTunnels?: true;
  readonly rawCredential: boolean;
  /** Certificates in files come from a custom SDS server (`file-credential`). */
  readonly fileCredential: boolean;
}

/** Everything that is known of one node, from what it says of itself and from the directory (Pod, WorkloadEntry, Node objects). */
export interface Facts {
  readonly id: string;
  readonly type: "sidecar" | "router";
  readonly dialect: Dialect;
  /** In the node's order; at least one. */
  readonly addresses: readonly string[];
  /** `pod.namespace` as the node's id has it. */
  readonly podId: string;
  readonly namespace: string;
  /** The namespace that the node states itself, "" if none: registries and telemetry go by it, while `namespace` falls back to the DNS domain's. */
  readonly statedNamespace: string;
  /** For example `shop.svc.cluster.local`. */
  readonly dnsDomain: string;
  readonly cluster: string;
  readonly network: string;
  readonly locality: Locality;
  /** Effective labels: the Pod's or WorkloadEntry's, else metadata's, augmented by topology labels. Istio's selectors read these. */
  readonly labels: Readonly<Record<string, string>>;
  /** The node's Pod, if the directory knows it: container ports and the labels that Services select by come from here. */
  readonly pod?: PodEntry;
  /** The WorkloadEntry that has the node's first address, `namespace/name`. */
  readonly workloadEntry?: string;
  /** What ServiceEntries of the node's namespace say that its addresses serve. */
  readonly targets: readonly AddressTarget[];
  readonly serviceAccount: string;
  readonly nodeName: string;
  readonly workloadName: string;
  readonly meshId: string;
  /** Node.cluster of the xDS node message. */
  readonly serviceCluster: string;
  readonly podPorts?: readonly { readonly name: string; readonly containerPort: number; readonly protocol: string }[];
  readonly features: ProxyFeatures;
  /** `PROXY_CONFIG` as it came; replaces the mesh's default entirely. */
  readonly proxyConfig?: Readonly<Record<string, unknown>>;
}
