import { familyOf } from "#core/lib/address.ts";
import { type Duration, parseGoDuration } from "#core/lib/duration.ts";
import { dialectFeatures } from "./dialect-features.ts";
import type { Dialect, ProxyFeatures } from "./facts.ts";
import type { MetadataReader } from "./metadata.ts";

/**
 * What a proxy announces and translation reads as it is. One row a fact; the oracle case that pins it stands beside.
 */
export function proxyFeatures(metadata: MetadataReader, addresses: readonly string[], dialect: Dialect): ProxyFeatures {
  const version = istioVersion(metadata.text("ISTIO_VERSION"));
  const idleTimeout = duration(metadata.text("IDLE_TIMEOUT"));
  const httpProxyPort = wholeNumber(metadata.text("HTTP_PROXY_PORT"));
  const networkView = metadata.list("REQUESTED_NETWORK_VIEW");
  return {
    ...(version && { version }), //                                                policy/telemetry-tracing-variations
    families: families(addresses), //                                              discovery/ip-families
    instanceFamily: instanceFamily(metadata.list("INSTANCE_IPS") ?? []),
    interception: interception(metadata.text("INTERCEPTION_MODE"), dialect), //    discovery/sidecar-egress-listeners
    http10: metadata.text("HTTP10") === "1", //                                    gateway/topology
    dnsCapture: metadata.flag("DNS_CAPTURE"), //                                   discovery/auto-allocated-addresses
    dnsAutoAllocate: metadata.flag("DNS_AUTO_ALLOCATE"), //                        discovery/auto-allocated-addresses
    dnsProxyAddress: metadata.text("DNS_PROXY_ADDR"), //                           routing/outbound-policy-dynamic-dns
    ...(idleTimeout && { idleTimeout }), //                                        discovery/node-identity
    ...(httpProxyPort !== undefined && { httpProxyPort }), //                      routing/http-proxy-port (mesh-wide form)
    unprivileged: metadata.text("UNPRIVILEGED_POD") === "true", //                 gateway/service-ports
    ownPorts: ownPorts(metadata, dialect), //                                      routing/inbound-basics
    inboundExactBalance: metadata.flag("INBOUND_LISTENER_EXACT_BALANCE"),
    outboundExactBalance: metadata.flag("OUTBOUND_LISTENER_EXACT_BALANCE"),
    tlsClientCertChain: metadata.text("TLS_CLIENT_CERT_CHAIN"),
    tlsClientKey: metadata.text("TLS_CLIENT_KEY"),
    tlsClientRootCert: metadata.text("TLS_CLIENT_ROOT_CERT"),
    tlsServerCertChain: metadata.text("TLS_SERVER_CERT_CHAIN"),
    tlsServerKey: metadata.text("TLS_SERVER_KEY"),
    tlsServerRootCert: metadata.text("TLS_SERVER_ROOT_CERT"),
    tlsCredential: metadata.text("TLS_CREDENTIAL"),
    ...(networkView && networkView.length > 0 && { networkView }), //              discovery/east-west-gateways
    ...((metadata.flag("DISABLE_HBONE_SEND") || !dialectFeatures(dialect).tunnels) && { avoidsTunnels: true }),
    rawCredential: metadata.flag("credential"),
    fileCredential: metadata.text("file-credential") === "true",
  };
}

/**
 * Istio compares with an unannounced status or metrics port as with port 0: a target port that nobody can tell is then the proxy's own
 * (`model/context.go` conflictWithReservedListener).
 */
function ownPorts(metadata: MetadataReader, dialect: Dialect): readonly number[] {
  const plain = ["ENVOY_STATUS_PORT", "ENVOY_PROMETHEUS_PORT"].map((key) => metadata.port(key));
  const secure = ["ENVOY_SECURE_METRICS_PORT", "ENVOY_SECURE_MERGED_METRICS_PORT"].map((key) => metadata.port(key)).filter((port) => port > 0);
  return dialectFeatures(dialect).sharesHost ? [...plain, ...secure, metadata.port("ENVOY_ADMIN_PORT") || ADMIN_PORT] : [...plain, ...secure];
}

/** Where a bootstrap puts Envoy's admin interface unless somebody chose another port. */
const ADMIN_PORT = 15000;

/** Istio `pkg/model/proxy.go` DiscoverIPMode: anything but all v4 or all v6 is dual. */
function families(addresses: readonly string[]): ProxyFeatures["families"] {
  const found = new Set(addresses.map(familyOf));
  if (found.size !== 1) return "dual";
  return found.has("v4") ? "v4" : "v6";
}

/** Istio `util.SelectDNSLookupFamily` over the announced addresses. */
function instanceFamily(addresses: readonly string[]): ProxyFeatures["instanceFamily"] {
  return addresses.length > 0 && addresses.every((address) => familyOf(address) === "v6") ? "v6" : "v4";
}

function interception(text: string, dialect: Dialect): ProxyFeatures["interception"] {
  if (text === "" && !dialectFeatures(dialect).captures) return "NONE";
  return text === "TPROXY" || text === "NONE" ? text : "REDIRECT";
}

/** Istio `pilot/pkg/model/context.go` ParseIstioVersion: what does not look like a version counts as the newest. */
function istioVersion(text: string): ProxyFeatures["version"] {
  const match = /^([1-9]+)\.([0-9]+)(?:\.([0-9]+))?/.exec(text.replace(/^release-/, ""));
  if (match === null) return undefined;
  return [Number(match[1]), Number(match[2]), match[3] === undefined ? 65535 : Number(match[3])];
}

/** Istio ignores an idle timeout that does not parse. */
function duration(text: string): Duration | undefined {
  return text === "" ? undefined : parseGoDuration(text);
}

/** Go's `strconv.Atoi`; Istio ignores what it refuses. */
function wholeNumber(text: string): number | undefined {
  return /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}
