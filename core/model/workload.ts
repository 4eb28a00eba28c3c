import type { ObjectKey } from "#core/lib/object-key.ts";
import type { DestinationRule } from "./destination-rule.ts";
import type { Service, ServicePort } from "./service.ts";
import type { Sidecar } from "./sidecar.ts";

/** A service port that this workload serves, with the port of the workload that answers. */
export interface ServiceTarget {
  readonly service: Service;
  readonly port: ServicePort;
  readonly targetPort: number;
  /** Rule that a client of the service's own side would use: inbound reads its connection pool. */
  readonly rule?: DestinationRule;
  /** All rules that were weighed where that one was found, or none. */
  readonly ruleSources: readonly ObjectKey[];
}

export type MtlsMode = "DISABLE" | "PERMISSIVE" | "STRICT";

/** What decides the inbound side of the nodes of one workload layer. */
export interface Workload {
  readonly namespace: string;
  /** Oldest service first, then host, each in the order of its ports. */
  readonly targets: readonly ServiceTarget[];
  /** What decides the targets beside their services: the WorkloadEntry that it is, a Service that leaves it without any. */
  readonly sources: readonly ObjectKey[];
  readonly sidecar?: Sidecar;
  /** From PeerAuthentication: the workload's mode and that of single ports. */
  readonly mtls: { readonly mode: MtlsMode; readonly ports: Readonly<Record<number, MtlsMode>>; readonly sources: readonly ObjectKey[] };
}
