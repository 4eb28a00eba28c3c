import type { ObjectKey } from "#core/lib/object-key.ts";
import type { OutboundPolicy } from "./mesh-config.ts";
import type { Protocol } from "./protocol.ts";
import type { ClientTls, ConnectionPool } from "./traffic-policy.ts";
import type { Destination } from "./virtual-service.ts";

export interface SidecarPort {
  readonly number: number;
  readonly protocol: Protocol;
  readonly name: string;
}

/** A Sidecar object; `default` scopes have none. */
export interface Sidecar {
  readonly name: string;
  readonly namespace: string;
  /** Absent: the namespace's (or, in the root namespace, the mesh's) default. */
  readonly workloadSelector?: Readonly<Record<string, string>>;
  readonly egress: readonly {
    readonly port?: SidecarPort;
    readonly bind: string;
    readonly captureMode: "DEFAULT" | "IPTABLES" | "NONE";
    /** As written: `namespace/host`. */
    readonly hosts: readonly string[];
  }[];
  readonly ingress: readonly {
    readonly port: SidecarPort;
    readonly bind: string;
    readonly captureMode: "DEFAULT" | "IPTABLES" | "NONE";
    readonly defaultEndpoint: string;
    readonly tls?: ClientTls;
    readonly connectionPool?: ConnectionPool;
  }[];
  readonly inboundConnectionPool?: ConnectionPool;
  readonly outboundTrafficPolicy?: { readonly mode: OutboundPolicy; readonly egressProxy?: Destination };
  readonly sources: readonly ObjectKey[];
}
