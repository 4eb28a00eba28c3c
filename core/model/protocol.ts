/** The application protocol of a port, in Istio's spelling. `Unsupported` means "not declared": the proxy detects it. */
export type Protocol =
  | "TCP" | "UDP" | "GRPC" | "GRPC-Web" | "HTTP" | "HTTP_PROXY" | "HTTP2" | "HTTPS" | "TLS" | "Mongo" | "Redis" | "MySQL" | "Unsupported";
