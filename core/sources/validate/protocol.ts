/** Names of application protocols in lower case (istio `pkg/config/protocol`). */
const HTTP: ReadonlySet<string> = new Set(["http", "http2", "http_proxy", "grpc", "grpc-web"]);
const TLS: ReadonlySet<string> = new Set(["https", "tls"]);
const OTHER: ReadonlySet<string> = new Set(["tcp", "udp", "mongo", "redis", "mysql"]);

/** HTTP in any form, as a port declares it; case does not matter. */
export function isHttp(protocol: string): boolean {
  return HTTP.has(protocol.toLowerCase());
}

/** TLS that ends elsewhere or here. */
export function isTls(protocol: string): boolean {
  return TLS.has(protocol.toLowerCase());
}

/** Everything on TCP that is not HTTP in the clear. */
export function isTcp(protocol: string): boolean {
  const name = protocol.toLowerCase();
  return TLS.has(name) || (OTHER.has(name) && name !== "udp");
}

/** A protocol that Istio knows by name. */
export function isKnownProtocol(protocol: string): boolean {
  const name = protocol.toLowerCase();
  return HTTP.has(name) || TLS.has(name) || OTHER.has(name);
}

/** Empty means "find out". */
export function protocolProblem(protocol: string): string | undefined {
  return protocol === "" || isKnownProtocol(protocol) ? undefined : `"${protocol}" is not a protocol that Istio knows`;
}
