import { interner } from "#core/lib/intern.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { ProxyConfig } from "#core/model/proxy-config.ts";
import type { ProxyFeatures } from "#core/node/facts.ts";
import type { Naming } from "./domains.ts";
import type { RouteFrame } from "./frame.ts";

/** What routes read beside the scope. */
export interface RouteSettings {
  readonly frame: Omit<RouteFrame, "port" | "tls" | "http3">;
  readonly naming: Omit<Naming, "portInNames">;
}

/** What routes read of one client. */
export interface RouteClient {
  readonly features: ProxyFeatures;
  readonly dnsDomain: string;
  readonly cluster: string;
  /** In force for the node: its own, else the mesh's default. */
  readonly proxyConfig: ProxyConfig;
}

const intern = interner<RouteSettings>();

/** Gathers what routes read of mesh config and client; equal settings are one value. */
export function routeSettings(config: MeshConfig, client: RouteClient): RouteSettings {
  const headers = client.proxyConfig.proxyHeaders;
  const { defaultHttpRetryPolicy } = config;
  return intern({
    frame: {
      appendXForwardedHost: headers?.xForwardedHost === true,
      includeAttemptCount: headers?.attemptCountDisabled !== true,
      ...(defaultHttpRetryPolicy === undefined ? {} : { defaultRetry: defaultHttpRetryPolicy }),
    },
    naming: {
      cluster: client.cluster,
      families: client.features.families,
      usesAllocated: client.features.dnsCapture,
      dnsDomain: client.dnsDomain,
    },
  });
}
