/** Kubernetes objects, projected: spec and status fields that translation reads, and no others. */

export interface KubeService {
  readonly type: string;
  /** `None` for headless, "" if there is none. */
  readonly clusterIP: string;
  readonly clusterIPs: readonly string[];
  readonly externalIPs: readonly string[];
  readonly externalName: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly publishNotReadyAddresses: boolean;
  readonly internalTrafficPolicy: string;
  readonly trafficDistribution: string;
  readonly ports: readonly {
    readonly name: string;
    readonly protocol: string;
    readonly port: number;
    /** Absent: same as `port`. */
    readonly targetPort?: number | string;
    readonly nodePort: number;
    /** Absent and "" differ: an empty appProtocol hides the port's name. */
    readonly appProtocol?: string;
  }[];
  readonly loadBalancer: readonly { readonly ip: string; readonly hostname: string }[];
}

export interface KubePod {
  readonly nodeName: string;
  readonly serviceAccountName: string;
  readonly hostNetwork: boolean;
  readonly hostname: string;
  readonly subdomain: string;
  readonly phase: string;
  readonly podIP: string;
  readonly podIPs: readonly string[];
  readonly ready: boolean;
  readonly deleting: boolean;
  /** Regular containers, then init containers that restart always; an init container named istio-proxy marks injection. */
  readonly containers: readonly {
    readonly name: string;
    readonly ports: readonly { readonly name: string; readonly containerPort: number; readonly protocol: string }[];
  }[];
  /** An application runs as user 1337, the proxy's own; absent: none does. */
  readonly runsAsProxyUser?: true;
}

/** Read by analysis alone: the Pods that there will be. */
export interface KubeDeployment {
  readonly template: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    /** Names of all containers. */
    readonly containers: readonly string[];
  };
  /** As a Pod's. */
  readonly runsAsProxyUser?: true;
}

export interface KubeEndpointSlice {
  readonly addressType: string;
  readonly ports: readonly { readonly name: string; readonly port?: number; readonly protocol: string; readonly appProtocol?: string }[];
  readonly endpoints: readonly {
    readonly addresses: readonly string[];
    readonly ready?: boolean;
    readonly serving?: boolean;
    readonly terminating?: boolean;
    readonly hostname: string;
    readonly nodeName: string;
    readonly zone: string;
    readonly targetRef?: { readonly kind: string; readonly name: string; readonly namespace: string };
  }[];
}

export interface KubeNode {
  readonly addresses: readonly { readonly type: string; readonly address: string }[];
}

export type KubeNamespace = Readonly<Record<string, never>>;

/** Data as base64, exactly as the object has it; never printed. */
export interface KubeSecret {
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
}

export interface KubeConfigMap {
  readonly data: Readonly<Record<string, string>>;
}

/** Objects whose translation comes with a later issue: kept as they are, so that nothing is lost. */
export type Verbatim = Readonly<Record<string, unknown>>;
