/** What the name of a sidecar's route configuration says. */
export type RouteName =
  /** All HTTP of one port of a listener that serves several hosts. */
  | { readonly kind: "port"; readonly port: number }
  /** One host on a port whose protocol is detected. */
  | { readonly kind: "host"; readonly host: string; readonly port: number }
  /** Every port: the HTTP proxy, or a Unix socket. */
  | { readonly kind: "every-port"; readonly bind: string };

/** The routes of the listener that applications use as their HTTP proxy. */
export const HTTP_PROXY_ROUTE = "http_proxy";
const UNIX_PREFIX = "unix:";

/** Reads a name; undefined for one that means nothing (istio `httproute.go` extractListenerPort). */
export function parseRouteName(name: string): RouteName | undefined {
  if (name === HTTP_PROXY_ROUTE || name.startsWith(UNIX_PREFIX)) return { kind: "every-port", bind: name };
  const colon = name.indexOf(":");
  const digits = name.slice(colon + 1);
  if (!/^[+-]?\d+$/.test(digits)) return undefined;
  const port = Number(digits);
  return colon < 0 ? { kind: "port", port } : { kind: "host", host: hostBefore(name), port };
}

/** The host of `host:port`; "" where that can't be told (Go `net.SplitHostPort`). */
function hostBefore(name: string): string {
  const parts = name.split(":");
  return parts.length === 2 ? (parts[0] ?? "") : "";
}
