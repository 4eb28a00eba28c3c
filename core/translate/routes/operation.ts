import type { Targets } from "#core/envoy/route-action.ts";
import type { RouteMatchFields } from "#core/envoy/route-match.ts";
import { parseClusterName } from "../names.ts";

/**
 * Names a route in traces: host, port and path of its one cluster, else VirtualService, listener port and path
 * (istio `route.GetRouteOperation`).
 */
export function operationName(
  match: RouteMatchFields,
  targets: Targets | undefined,
  fallback: { readonly name: string; readonly port: number },
): string {
  const cluster = targets?.kind === "cluster" ? parseClusterName(targets.cluster) : undefined;
  const subject = cluster === undefined ? `${fallback.name}:${fallback.port}` : `${cluster.host}:${cluster.port}`;
  return subject + operationPath(match.path);
}

function operationPath({ kind, value }: RouteMatchFields["path"]): string {
  switch (kind) {
    case "prefix":
      return `${value}*`;
    case "path":
    case "safeRegex":
      return value;
    case "pathSeparatedPrefix":
      return "/*";
  }
}
