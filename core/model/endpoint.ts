import type { Labels } from "#core/lib/labels.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";

/** Envoy's health states that Istio uses; `unset` for ServiceEntry and WorkloadEntry endpoints, which carry no status. */
export type Health = "unset" | "healthy" | "unhealthy" | "draining" | "terminating";

/** What all endpoints of one workload have in common: they share it. */
export interface WorkloadFacts {
  /** Labels, augmented by region, zone, subzone, cluster, hostname and network, as Istio's `AugmentLabels`. */
  readonly labels: Labels;
  /** What clients look at of the labels. */
  readonly traits: WorkloadTraits;
  /** SPIFFE identity; "" if none. */
  readonly serviceAccount: string;
  /** `istio`, `disabled` or what the label says. */
  readonly tlsMode: string;
  readonly workloadName: string;
  readonly namespace: string;
  readonly cluster: string;
  /** "" where only an endpoint's own address can tell, and where that doesn't either. */
  readonly network: string;
  /** `region/zone/subzone` as text, exactly as the source spells it (`r1/z1` and `r1/z1/` are two groups); "" if unknown. */
  readonly locality: string;
  /** Kubernetes node, "" if none. */
  readonly nodeName: string;
  readonly hostName: string;
  readonly subdomain: string;
  /** The workload's own object, if it has one, then what else its facts come from. */
  readonly sources: readonly ObjectKey[];
}

/** What labels of a workload tell its clients beside what subsets ask for: workloads with equal labels share it. */
export interface WorkloadTraits {
  /** What telemetry calls the server; undefined: by the workload's own name. */
  readonly canonicalName: string | undefined;
  readonly canonicalRevision: string;
  /** It takes traffic through HBONE tunnels. */
  readonly tunnels: boolean;
  readonly isWaypoint: boolean;
  /** It gets no new sessions, whatever Kubernetes says. */
  readonly drains: boolean;
}

/** What all endpoints have in common that one object lists for one port of a service: they share it. */
export interface EndpointPort {
  /** Of the workload; 0 for a Unix socket. */
  readonly number: number;
  /** Name of the service port that is served (EDS joins by name). */
  readonly servicePortName: string;
  /** Number of the service port that a ServiceEntry says; 0 where the name alone joins endpoint and port (Kubernetes). */
  readonly servicePort: number;
  /** What lists the endpoints: a slice, a ServiceEntry, the Service that selects them. */
  readonly listedBy: ObjectKey;
}

/** What the workload- and port-level PeerAuthentication says of a port: may a client use mTLS to it? Shared by all that are judged alike. */
export interface PortMtls {
  readonly allowed: boolean;
  /** The policies that said so. */
  readonly sources: readonly ObjectKey[];
}

/** One address that serves one port of one service, before any node looks at it. */
export interface Endpoint {
  readonly workload: WorkloadFacts;
  /** IP address, host name (DNS resolutions) or absolute path of a Unix socket. */
  readonly address: string;
  readonly port: EndpointPort;
  readonly health: Health;
  /** 0: not given. */
  readonly weight: number;
  readonly mtls: PortMtls;
}

/** All endpoints of one service (host and namespace) in Istio's order: provider (External before Kubernetes), cluster, object. */
export interface ServiceEndpoints {
  readonly host: string;
  readonly namespace: string;
  readonly endpoints: readonly Endpoint[];
  /** Objects that list the endpoints (slices, ServiceEntries); what each endpoint is made of besides stands there. */
  readonly sources: readonly ObjectKey[];
}

/** Where traffic enters a network from outside (east-west gateway). */
export interface NetworkGateway {
  readonly network: string;
  readonly cluster: string;
  readonly address: string;
  /** Where it takes mutual TLS; 0: it doesn't, and counts only when others share traffic. */
  readonly port: number;
  /** Where it takes HBONE; 0: it doesn't. */
  readonly hbonePort: number;
  /** `namespace/name` of the account that a Gateway resource runs as; "" for others. A Service and a resource of one address are two gateways. */
  readonly account: string;
  /** The Service or resource, and the Nodes whose addresses it has; empty where the mesh networks file says it all. */
  readonly sources: readonly ObjectKey[];
}
