import type { NetworkFilter } from "#core/envoy/filter-chain.ts";
import type { HttpFilter } from "#core/envoy/http-filters.ts";

/** Where HTTP filters stand in a connection manager, in order (istio `listener_builder.go` buildHTTPConnectionManager). */
export const HTTP_SLOTS = [
  "peer-metadata",
  "custom-authorization",
  "extensions-authn",
  "jwt",
  "extensions-authz",
  "authorization",
  "extensions-stats",
  "extensions",
  "grpc-web",
  "grpc-stats",
  "alpn",
  "fault",
  "cors",
  "stats",
  "session",
  "forward-proxy",
  "router",
] as const;

/** Where network filters stand in a filter chain, in order (istio `networkfilter.go` buildCompleteNetworkFilters). */
export const NETWORK_SLOTS = [
  "peer-metadata",
  "custom-authorization",
  "extensions-authn",
  "extensions-authz",
  "authorization",
  "extensions-stats",
  "extensions",
  "stats",
  "sni-forward-proxy",
  "protocol",
  "terminal",
] as const;

export type HttpSlot = (typeof HTTP_SLOTS)[number];
export type NetworkSlot = (typeof NETWORK_SLOTS)[number];
export type HttpFilterSlots = Readonly<Partial<Record<HttpSlot, readonly HttpFilter[]>>>;
export type NetworkFilterSlots = Readonly<Partial<Record<NetworkSlot, readonly NetworkFilter[]>>>;

/** The filters of all slots in order. */
export function orderHttpFilters(slots: HttpFilterSlots): readonly HttpFilter[] {
  return HTTP_SLOTS.flatMap((slot) => slots[slot] ?? []);
}

/** Likewise of a filter chain. */
export function orderNetworkFilters(slots: NetworkFilterSlots): readonly NetworkFilter[] {
  return NETWORK_SLOTS.flatMap((slot) => slots[slot] ?? []);
}

/** Of a TCP chain's filters, those that a chain with a connection manager has, too. */
const BEFORE_HTTP: readonly NetworkSlot[] = ["peer-metadata", "extensions-authn", "extensions-authz", "extensions-stats", "extensions"];

/** What stands before a connection manager. */
export function beforeHttp(slots: NetworkFilterSlots): NetworkFilterSlots {
  return Object.fromEntries(BEFORE_HTTP.map((slot) => [slot, slots[slot] ?? []]));
}
