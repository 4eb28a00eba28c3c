/** The application protocol of a port, in Istio's spelling. `Unsupported` means "not declared": the proxy detects it. */
export type Protocol =
  | "TCP"
  | "UDP"
  | "GRPC"
  | "GRPC-Web"
  | "HTTP"
  | "HTTP_PROXY"
  | "HTTP2"
  | "HTTPS"
  | "TLS"
  | "Mongo"
  | "Redis"
  | "MySQL"
  | "Unsupported";

/** Classes of protocols (istio `pkg/config/protocol/instance.go`). */
const HTTP2: ReadonlySet<Protocol> = new Set(["HTTP2", "GRPC", "GRPC-Web"]);
const HTTP: ReadonlySet<Protocol> = new Set(["HTTP", "HTTP_PROXY", ...HTTP2]);
const TCP: ReadonlySet<Protocol> = new Set(["TCP", "HTTPS", "TLS", "Mongo", "Redis", "MySQL"]);

/** HTTP of any version, known from the declaration. */
export function isHttp(protocol: Protocol): boolean {
  return HTTP.has(protocol);
}

/** HTTP, or not declared and so perhaps HTTP. */
export function mayBeHttp(protocol: Protocol): boolean {
  return isHttp(protocol) || protocol === "Unsupported";
}

/** HTTP/2 by declaration, gRPC included. */
export function isHttp2(protocol: Protocol): boolean {
  return HTTP2.has(protocol);
}

/** gRPC, or gRPC as browsers speak it. */
export function isGrpc(protocol: Protocol): boolean {
  return protocol === "GRPC" || protocol === "GRPC-Web";
}

/** Anything that is carried as bytes, encrypted or not. */
export function isTcp(protocol: Protocol): boolean {
  return TCP.has(protocol);
}

/** Encrypted by the application itself. */
export function isTls(protocol: Protocol): boolean {
  return protocol === "HTTPS" || protocol === "TLS";
}
