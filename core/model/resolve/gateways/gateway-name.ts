/**
 * A gateway as a VirtualService names it, as `namespace/name`: `name`, `./name`, `namespace/name` or the old form `name.namespace.svc…`
 * (istio `model/config.go` resolveGatewayName). `mesh` stays.
 */
export function expandGateway(gateway: string, namespace: string): string {
  if (gateway === "mesh") return gateway;
  const slash = gateway.indexOf("/");
  if (slash >= 0) return gateway.slice(0, slash) === "." ? `${namespace}/${gateway.slice(slash + 1)}` : gateway;
  const [name = "", owner] = gateway.split(".");
  return owner === undefined ? `${namespace}/${name}` : `${owner}/${name}`;
}
