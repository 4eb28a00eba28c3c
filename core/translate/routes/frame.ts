import { interner } from "#core/lib/intern.ts";
import type { HttpRetry } from "#core/model/virtual-service.ts";

/** What a route reads beside its VirtualService and its destinations: the same for all routes of one listener port. */
export interface RouteFrame {
  /** Of the listener; 0 where a listener serves every port (HTTP proxy, Unix socket). */
  readonly port: number;
  /** The listener ends TLS (gateways). */
  readonly tls: boolean;
  /** The listener is offered over HTTP/3 too, which responses announce. */
  readonly http3: boolean;
  readonly appendXForwardedHost: boolean;
  readonly includeAttemptCount: boolean;
  /** For gRPC clients: how long a call may take is told in another field, and only filters that they know are configured. */
  readonly proxyless?: true;
  /** Mesh-wide retries; absent: Istio's own default. */
  readonly defaultRetry?: HttpRetry;
}

/** One identity for equal frames, so that what is made of them is found again. */
export const internFrame = interner<RouteFrame>();
