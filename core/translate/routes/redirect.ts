import { isRedirectStatus, type RouteActionMessage, redirect } from "#core/envoy/route-action.ts";
import type { HttpRedirect } from "#core/model/virtual-service.ts";
import type { RouteFrame } from "./frame.ts";

const MOVED_PERMANENTLY = 301;

/** A redirect; with a status that Envoy can't redirect with, the route has no action at all (istio `route.ApplyRedirect`). */
export function redirectAction(rule: HttpRedirect, frame: RouteFrame): RouteActionMessage | undefined {
  const status = rule.redirectCode || MOVED_PERMANENTLY;
  if (!isRedirectStatus(status)) return undefined;
  return redirect({
    host: rule.authority,
    path: rule.prefixRewrite === "" ? { kind: "pathRedirect", value: rule.uri } : { kind: "prefixRewrite", value: rule.prefixRewrite },
    scheme: rule.scheme,
    port: redirectPort(rule, frame),
    status,
  });
}

/** The port of the request is the listener's. The port that the scheme implies isn't written. */
function redirectPort({ port, scheme }: HttpRedirect, frame: RouteFrame): number {
  if (port === undefined) return 0;
  const number = port.kind === "number" ? port.value : port.value === "FROM_REQUEST_PORT" ? frame.port : 0;
  const target = scheme || (frame.tls ? "https" : "http");
  return (number === 80 && target === "http") || (number === 443 && target === "https") ? 0 : number;
}
