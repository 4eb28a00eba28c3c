import { familyOf } from "#core/lib/address.ts";
import { splitHostPort } from "#core/lib/host-port.ts";
import type { ProxyFeatures } from "#core/node/facts.ts";

/** Where a Sidecar's ingress listener hands connections to. */
export type DefaultEndpoint =
  | { readonly kind: "original-destination" }
  | { readonly kind: "address"; readonly address: string; readonly port: number }
  /** The pod's own first address of a family: only the node knows it. */
  | { readonly kind: "own-address"; readonly family: "v4" | "v6"; readonly port: number }
  /** Can't be read: validation refuses it, and there is no cluster. */
  | { readonly kind: "none" };

const ORIGINAL: DefaultEndpoint = { kind: "original-destination" };

/**
 * Reads `defaultEndpoint`: empty, a Unix socket, a loopback address (of the other family, if the proxy has only that), or all addresses of a family,
 * which means the pod's first one (istio `core/cluster.go` buildInboundClustersFromSidecar).
 */
export function defaultEndpoint(text: string, families: ProxyFeatures["families"]): DefaultEndpoint {
  if (text === "") return ORIGINAL;
  if (text.startsWith("unix://")) return { kind: "address", address: text, port: 0 };
  const parts = splitHostPort(text);
  if (parts === undefined || !/^[+-]?\d+$/.test(parts.port)) return { kind: "none" };
  const port = Number(parts.port);
  switch (parts.host) {
    case "0.0.0.0":
      return { kind: "own-address", family: "v4", port };
    case "::":
      return { kind: "own-address", family: "v6", port };
    case "127.0.0.1":
      return { kind: "address", address: families === "v6" ? "::1" : "127.0.0.1", port };
    case "::1":
      return { kind: "address", address: families === "v4" ? "127.0.0.1" : "::1", port };
    default:
      return ORIGINAL;
  }
}

/** The first address of a family, else its loopback address. */
export function ownAddress(addresses: readonly string[], family: "v4" | "v6"): string {
  return addresses.find((address) => familyOf(address) === family) ?? (family === "v4" ? "127.0.0.1" : "::1");
}
