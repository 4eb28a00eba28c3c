import type { Duration } from "#core/lib/duration.ts";
import type { ConnectionSettings } from "./connection-settings.ts";

/** What translation reads of Istio's ProxyConfig: mesh default, or a node's own (`PROXY_CONFIG`, which replaces it entirely). */
export interface ProxyConfig {
  /** `host:port` of the control plane; its host is never reached over cluster borders. */
  readonly discoveryAddress: string;
  /** Percent of requests; absent: 1 %. */
  readonly tracingSampling?: number;
  readonly tracingCustomTags: Readonly<
    Record<string, { readonly kind: "literal" | "environment" | "header"; readonly name: string; readonly defaultValue: string }>
  >;
  readonly tracingMaxPathTagLength?: number;
  /** Absent: yes. */
  readonly tracingIstioTags?: boolean;
  readonly gatewayTopology: { readonly numTrustedProxies: number; readonly forwardClientCertDetails: string; readonly proxyProtocol: boolean };
  readonly proxyHeaders?: {
    readonly forwardedClientCert: string;
    readonly setCurrentClientCertDetails?: {
      readonly subject?: boolean;
      readonly cert?: boolean;
      readonly chain?: boolean;
      readonly dns?: boolean;
      readonly uri?: boolean;
    };
    readonly requestIdDisabled?: boolean;
    readonly serverDisabled?: boolean;
    readonly serverValue: string;
    readonly attemptCountDisabled?: boolean;
    readonly envoyDebugHeadersDisabled?: boolean;
    readonly metadataExchangeInMesh: boolean;
    readonly preserveHttp1HeaderCase?: boolean;
    readonly xForwardedHost: boolean;
    readonly xForwardedPort: boolean;
  };
  readonly connectionSettings?: ConnectionSettings;
  readonly statNameDelimiters?: never;
  readonly holdApplicationUntilProxyStarts?: boolean;
  readonly drainDuration?: Duration;
}
