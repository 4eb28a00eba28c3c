import { encodeRoute, route } from "#core/envoy/route.ts";
import { directResponse, forward, type RouteActionMessage } from "#core/envoy/route-action.ts";
import { encodeVirtualHost, type VirtualHostFragment } from "#core/envoy/virtual-host.ts";
import { seconds } from "#core/lib/duration.ts";
import { memoize } from "#core/lib/memo.ts";
import type { Scope } from "#core/model/scope.ts";
import { ALLOW_ANY_DYNAMIC_DNS_CLUSTER, PASSTHROUGH_CLUSTER } from "../names.ts";
import { destinationCluster } from "./destination.ts";
import type { RouteFrame } from "./frame.ts";
import { headerChanges } from "./headers.ts";
import { MATCH_ALL } from "./match.ts";

/** The last virtual host of a listener, for hosts that nobody knows. */
export interface CatchAll {
  readonly host: VirtualHostFragment;
  /** Absent where requests are refused. */
  readonly cluster?: string;
}

type OutboundPolicy = Scope["outboundPolicy"];

/** Lets unknown hosts through, sends them to the egress proxy, or blocks them (istio `httproute.go` buildCatchAllVirtualHost). */
export const catchAllHost = memoize((policy: OutboundPolicy, frame: RouteFrame): CatchAll => {
  const { name, cluster } = verdict(policy);
  const action = cluster === undefined ? directResponse(BAD_GATEWAY) : passOn(cluster, frame);
  const message = route({
    name,
    match: MATCH_ALL,
    action,
    config: "",
    operation: "",
    statPrefix: "",
    requestHeaders: NO_CHANGES.request,
    responseHeaders: NO_CHANGES.response,
    filters: {},
  });
  const host = encodeVirtualHost({
    name,
    domains: ["*"],
    routes: [encodeRoute(message)],
    requireTls: false,
    includeRequestAttemptCount: frame.includeAttemptCount,
  });
  return { host, ...(cluster === undefined ? {} : { cluster }) };
});

const BAD_GATEWAY = 502;
const NO_CHANGES = headerChanges(undefined);

function verdict({ mode, egressProxy }: OutboundPolicy): { readonly name: string; readonly cluster?: string } {
  switch (mode) {
    case "ALLOW_ANY_DYNAMIC_DNS":
      return { name: "allow_any_dynamic_dns", cluster: ALLOW_ANY_DYNAMIC_DNS_CLUSTER };
    case "ALLOW_ANY":
      return { name: "allow_any", cluster: egressProxy === undefined ? PASSTHROUGH_CLUSTER : destinationCluster(egressProxy, {}, 0) };
    case "REGISTRY_ONLY":
      return { name: "block_all" };
  }
}

function passOn(cluster: string, frame: RouteFrame): RouteActionMessage {
  return forward({
    targets: { kind: "cluster", cluster },
    timeout: seconds(0),
    hostRewrite: "",
    appendXForwardedHost: frame.appendXForwardedHost,
    mirrors: [],
    hash: [],
    missingClusterIsError: false,
    proxyless: false,
  });
}
