import type { Protocol } from "../../protocol.ts";

const BY_NAME: ReadonlyMap<string, Protocol> = new Map([
  ["tcp", "TCP"],
  ["udp", "UDP"],
  ["grpc", "GRPC"],
  ["grpc-web", "GRPC-Web"],
  ["http", "HTTP"],
  ["http_proxy", "HTTP_PROXY"],
  ["http2", "HTTP2"],
  ["https", "HTTPS"],
  ["tls", "TLS"],
  ["mongo", "Mongo"],
  ["redis", "Redis"],
  ["mysql", "MySQL"],
]);

/** Names that Kubernetes itself defines for `appProtocol`. */
const BY_APP_PROTOCOL: ReadonlyMap<string, Protocol> = new Map([
  ["kubernetes.io/h2c", "HTTP2"],
  ["kubernetes.io/ws", "HTTP"],
  ["kubernetes.io/wss", "HTTPS"],
]);

/** SMTP, DNS, MySQL and MongoDB: the server speaks first there, so detection would only wait. */
const NEVER_DETECTED: ReadonlySet<number> = new Set([25, 53, 3306, 27017]);

/** A protocol by its name in any letter case, as ServiceEntry, Gateway and Sidecar ports give it (istio `pkg/config/protocol` Parse). */
export function parseProtocol(name: string): Protocol {
  return BY_NAME.get(name.toLowerCase()) ?? "Unsupported";
}

/**
 * The protocol of a Kubernetes Service port: transport, then `appProtocol` (even an empty or unknown one), then the name up to its first hyphen
 * (istio `pkg/config/kube/conversion.go` ConvertProtocol).
 */
export function kubePortProtocol(port: {
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol?: string;
}): Protocol {
  if (port.protocol === "UDP") return "UDP";
  const known = port.appProtocol === undefined ? undefined : BY_APP_PROTOCOL.get(port.appProtocol);
  if (known !== undefined) return known;
  const name = (port.appProtocol ?? port.name).toLowerCase();
  if (name.startsWith("grpc-web")) return "GRPC-Web";
  const hyphen = name.indexOf("-");
  const protocol = parseProtocol(hyphen < 0 ? name : name.slice(0, hyphen));
  return protocol === "Unsupported" && NEVER_DETECTED.has(port.port) ? "TCP" : protocol;
}
