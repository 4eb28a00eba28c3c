import { ZERO_DURATION } from "./duration.ts";
import type { RouteConfigurationMessage } from "./http-connection-manager.ts";

export interface InboundRouteFields {
  readonly cluster: string;
  /** Port of the service, 0 for none: it names the virtual host. */
  readonly servicePort: number;
  /** Name of the operation in traces. */
  readonly operation: string;
  /** Requests that were reset before anything of them was processed are tried again. */
  readonly retry: boolean;
}

/** The routes of an inbound listener: everything goes to one cluster, without timeouts (istio `BuildDefaultHTTPInboundRoute`). */
export function inboundRoutes(fields: InboundRouteFields): RouteConfigurationMessage {
  const action = {
    clusterSpecifier: { case: "cluster", value: fields.cluster },
    timeout: ZERO_DURATION,
    maxStreamDuration: { maxStreamDuration: ZERO_DURATION, grpcTimeoutHeaderMax: ZERO_DURATION },
    ...(fields.retry && { retryPolicy: { retryOn: "reset-before-request", numRetries: 2 } }),
  } as const;
  const route = {
    name: "default",
    match: { pathSpecifier: { case: "prefix", value: "/" } },
    decorator: { operation: fields.operation },
    action: { case: "route", value: action },
  } as const;
  return {
    name: fields.cluster,
    validateClusters: false,
    virtualHosts: [{ name: `inbound|http|${fields.servicePort}`, domains: ["*"], routes: [route] }],
  };
}
