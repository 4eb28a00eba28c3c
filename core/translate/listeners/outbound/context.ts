import { interner } from "#core/lib/intern.ts";
import { memoize } from "#core/lib/memo.ts";
import type { Scope } from "#core/model/scope.ts";
import type { ClassFrame, Frame } from "../../frames/frame.ts";
import { BLACK_HOLE_CLUSTER, PASSTHROUGH_CLUSTER } from "../../names.ts";
import { destinationCluster } from "../../routes/destination.ts";
import type { ListenerSettings } from "../settings.ts";

/** What a scope's policy for unknown traffic means to listeners. */
export interface OutboundPolicy {
  readonly catchAll: string;
  /** Unknown hosts of HTTP requests are resolved. */
  readonly resolvesHosts: boolean;
}

/** What outbound listeners are spelled with, whatever they are for. */
export interface OutboundContext {
  readonly settings: ListenerSettings;
  readonly frame: ClassFrame;
  readonly policy: OutboundPolicy;
}

const internPolicy = interner<OutboundPolicy>();

/** Gathers them; equal contexts are one value. */
export function outboundContext({ outboundPolicy }: Scope, settings: ListenerSettings, frame: Frame): OutboundContext {
  const policy = internPolicy({ catchAll: catchAllCluster(outboundPolicy), resolvesHosts: outboundPolicy.mode === "ALLOW_ANY_DYNAMIC_DNS" });
  return contextOf(settings, frame.outbound, policy);
}

const contextOf = memoize((settings: ListenerSettings, frame: ClassFrame, policy: OutboundPolicy): OutboundContext => ({ settings, frame, policy }));

/** The cluster of traffic that nobody knows: let through, sent to the egress proxy, or ended (istio `listener_builder.go` buildOutboundCatchAllNetworkFiltersOnly). */
function catchAllCluster({ mode, egressProxy }: Scope["outboundPolicy"]): string {
  if (mode === "REGISTRY_ONLY") return BLACK_HOLE_CLUSTER;
  return egressProxy === undefined ? PASSTHROUGH_CLUSTER : destinationCluster(egressProxy, {}, 0);
}
