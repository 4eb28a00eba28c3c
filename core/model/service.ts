import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Protocol } from "./protocol.ts";

/**
 * How a service's name becomes addresses. `client-side` is what Kubernetes Services with a cluster IP and STATIC ServiceEntries are (EDS);
 * `passthrough` keeps the original destination (headless, NONE); `alias` is an ExternalName.
 */
export type Resolution = "client-side" | "dns" | "dns-round-robin" | "dynamic-dns" | "passthrough" | "alias";

/** Who may see an object: everybody, nobody, or these namespaces (already resolved: no ".", no defaults left). */
export type ExportTo =
  | { readonly kind: "public" }
  | { readonly kind: "none" }
  | { readonly kind: "namespaces"; readonly namespaces: readonly string[] };

export interface ServicePort {
  readonly name: string;
  readonly number: number;
  readonly protocol: Protocol;
}

/** One service as the mesh sees it: a Kubernetes Service, or one (host, address) of a ServiceEntry. */
export interface Service {
  readonly host: string;
  /** Kubernetes: the Service's name. ServiceEntry: the host. */
  readonly name: string;
  readonly namespace: string;
  readonly registry: "Kubernetes" | "External";
  readonly resolution: Resolution;
  readonly meshExternal: boolean;
  readonly ports: readonly ServicePort[];
  /** Only ServiceEntry with resolution NONE, by port number: what replaces the original port. Of joined entries the first one's alone counts. */
  readonly targetPortOverrides?: Readonly<Record<number, number>>;
  /** `0.0.0.0` when there is none; may be a CIDR for a ServiceEntry. */
  readonly defaultAddress: string;
  /** Virtual addresses by cluster id; empty for ServiceEntries. Sorted as the object lists them. */
  readonly clusterAddresses: Readonly<Record<string, readonly string[]>>;
  readonly autoAddresses: { readonly v4?: string; readonly v6?: string };
  readonly exportTo: ExportTo;
  /** What a ServiceEntry says itself, sorted and without duplicates: entries of one host only share ports where it is equal. Absent: nothing, so the default counts. */
  readonly declaredExportTo?: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** Which workloads back it; empty object: none are selected. */
  readonly selector: Readonly<Record<string, string>>;
  /** SPIFFE identities from annotations or `subjectAltNames`, without those of the endpoints. */
  readonly serviceAccounts: readonly string[];
  readonly trafficDistribution: "any" | "same-zone" | "same-node";
  /** `internalTrafficPolicy: Local`. */
  readonly nodeLocal: boolean;
  readonly publishNotReadyAddresses: boolean;
  /** Only endpoints of the client's own cluster count (`kube-system` and mesh config `serviceSettings`). */
  readonly clusterLocal: boolean;
  /** ServiceEntry annotation istio.io/connect-strategy RACE_FIRST_TCP_CONNECT. */
  readonly raceConnect: boolean;
  /** Names of ExternalName services that end at this one, sorted by namespace, then host. */
  readonly aliases: readonly { readonly namespace: string; readonly host: string }[];
  /** ExternalName only: the host it points to. */
  readonly externalName?: string;
  /** Name of the object: the Service's, or the ServiceEntry's (`name` is the host there). */
  readonly objectName: string;
  /** The objects that this value was made of, winners first. */
  readonly sources: readonly ObjectKey[];
  /** Only where names are resolved: by port number, how Services of its namespace and host call it, too, the last one first. Their endpoints join by that. */
  readonly otherPortNames?: Readonly<Record<number, readonly string[]>>;
  /** Numbers of ports that others of its host have, in other clusters or namespaces, and it has not: where it stands for them, those ports are not served. */
  readonly hiddenPorts?: readonly number[];
}
