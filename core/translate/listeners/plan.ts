import { makeResource, NO_NEEDS, type Resource } from "#core/edition/resource.ts";
import { type FilterChain, type FilterChainFields, filterChainMessage, type NetworkFilter } from "#core/envoy/filter-chain.ts";
import { encodeListener, type ListenerFields } from "#core/envoy/listener.ts";
import { type Duration, seconds } from "#core/lib/duration.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { connectionManager, type ManagerFrame } from "../frames/connection-manager.ts";
import type { ListenerLiterals } from "../literals.ts";

/** A filter chain that is ready, or one that only lacks its workload's own names. */
export type ChainPiece = { readonly kind: "ready"; readonly chain: FilterChain } | { readonly kind: "http"; readonly http: HttpPiece };

export interface HttpPiece {
  readonly fields: Omit<FilterChainFields, "filters">;
  /** What stands before the connection manager. */
  readonly before: readonly NetworkFilter[];
  /** Chains of one listener may share it. */
  readonly manager: ManagerPiece;
}

export interface ManagerPiece {
  readonly head: Uint8Array;
  readonly frame: ManagerFrame;
}

/** A listener but for its workload's own names: everything that nodes of one scope share. */
export interface ListenerPlan {
  readonly fields: Omit<ListenerFields, "chains" | "defaultChain">;
  readonly chains: readonly ChainPiece[];
  readonly defaultChain?: ChainPiece;
  /** Clusters and route configurations that it names. */
  readonly clusters: readonly string[];
  readonly routes: readonly string[];
  /** Secrets that the proxy asks its control plane for; absent: none. */
  readonly secrets?: readonly string[];
}

/** A plan, and the objects that it is made of. */
export interface PlannedListener {
  readonly plan: ListenerPlan;
  readonly from: readonly ObjectKey[];
}

/** Time for a TLS handshake (Istio's `PILOT_GATEWAY_TRANSPORT_SOCKET_CONNECT_TIMEOUT`, which outbound listeners of sidecars get too). */
export const HANDSHAKE_TIMEOUT: Duration = seconds(15);

/** Does a workload's own name appear in it? */
export function holdsLiterals({ chains, defaultChain }: ListenerPlan): boolean {
  return defaultChain?.kind === "http" || chains.some(({ kind }) => kind === "http");
}

/** Finishes a listener that no workload's name appears in, once for all who share it. */
export const sharedListener = memoize((plan: ListenerPlan, from: readonly ObjectKey[]): Resource => ({ ...shared(plan), from }));

const shared = memoize((plan: ListenerPlan): Resource => finish(plan, undefined));

/** Finishes a listener for one workload. */
export const workloadListener = memoize(
  (plan: ListenerPlan, literals: ListenerLiterals, from: readonly ObjectKey[]): Resource => ({ ...finish(plan, literals), from }),
);

function finish(plan: ListenerPlan, literals: ListenerLiterals | undefined): Resource {
  const { fields, defaultChain } = plan;
  const managers = new Map<ManagerPiece, NetworkFilter>();
  const complete = (piece: ChainPiece): FilterChain => {
    if (piece.kind === "ready") return piece.chain;
    const { http } = piece;
    const manager = managers.get(http.manager) ?? connectionManager(http.manager.frame, http.manager.head, literals);
    managers.set(http.manager, manager);
    return filterChainMessage(http.fields, [...http.before, manager]);
  };
  const bytes = encodeListener({ ...fields, chains: plan.chains.map(complete), ...(defaultChain && { defaultChain: complete(defaultChain) }) });
  return makeResource(
    "listeners",
    fields.name,
    bytes,
    { ...NO_NEEDS, clusters: plan.clusters, routes: plan.routes, secrets: plan.secrets ?? [] },
    [],
  );
}
