import type { DnsCacheFields } from "#core/envoy/dns-cache.ts";
import type { ProxyFeatures } from "#core/node/facts.ts";

/** Istio's `PILOT_ALLOW_ANY_DYNAMIC_DNS_MAX_HOSTS`. */
const MAX_HOSTS = 1024;

/** Where Istio's agent answers DNS, for a proxy that does not say it. */
const DNS_PROXY = { host: "127.0.0.1", port: 15053 };

/** The cache of a wildcard host whose names are resolved when requests for them come (istio `model.BuildDNSCacheName`). */
export function hostDnsCache(host: string, families: ProxyFeatures["families"]): DnsCacheFields {
  return { name: `${host}_dfp_dns_cache`, family: families === "v6" ? "v6" : "v4" };
}

/** The cache of all hosts that nobody knows, where outbound traffic policy resolves them (istio `buildAllowAnyDynamicDNSDNSCacheConfig`). */
export function anyHostDnsCache(features: Pick<ProxyFeatures, "instanceFamily" | "dnsCapture" | "dnsProxyAddress">): DnsCacheFields {
  return {
    name: "allow_any_dfp_dns_cache",
    family: features.instanceFamily,
    maxHosts: MAX_HOSTS,
    ...(features.dnsCapture && { resolver: resolverAt(features.dnsProxyAddress) }),
  };
}

/** Reads `host:port` (Go `net.SplitHostPort`); what is none counts as the agent's own address. */
function resolverAt(address: string): NonNullable<DnsCacheFields["resolver"]> {
  const match = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(address);
  if (match === null) return DNS_PROXY;
  const [, bracketed, plain = "", digits = ""] = match;
  const host = bracketed ?? plain;
  const port = /^\d+$/.test(digits) ? Number(digits) : DNS_PROXY.port;
  return { host: host === "localhost" ? DNS_PROXY.host : host, port };
}
