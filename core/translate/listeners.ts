import type { Resource } from "#core/edition/resource.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Scope } from "#core/model/scope.ts";
import type { Frame } from "./frames/frame.ts";
import { type AllocatedListener, allocateOutbound } from "./listeners/outbound/allocation.ts";
import { type OutboundContext, outboundContext } from "./listeners/outbound/context.ts";
import { httpProxy } from "./listeners/outbound/http-proxy.ts";
import { outboundPlan } from "./listeners/outbound/spell.ts";
import { virtualOutbound } from "./listeners/outbound/virtual-outbound.ts";
import { holdsLiterals, type ListenerPlan, sharedListener, workloadListener } from "./listeners/plan.ts";
import type { ListenerSettings } from "./listeners/settings.ts";
import type { ListenerLiterals } from "./literals.ts";

/** What outbound listeners are made of. Values with equal parts give the same result. */
export interface OutboundInput {
  readonly scope: Scope;
  readonly settings: ListenerSettings;
  readonly frame: Frame;
}

/** Outbound listeners in which no workload's own name appears: one form for all nodes of the scope. */
export function outboundListeners({ scope, settings, frame }: OutboundInput): readonly Resource[] {
  return sharedListeners(scope, settings, frame);
}

const sharedListeners = memoize((scope: Scope, settings: ListenerSettings, frame: Frame): readonly Resource[] =>
  plannedListeners(scope, settings, frame).flatMap(({ plan, from }) => (holdsLiterals(plan) ? [] : [sharedListener(plan, from)])),
);

/** Those that carry the workload's names in telemetry tags: all with a connection manager. */
export function outboundHttpListeners({ scope, settings, frame }: OutboundInput, literals: ListenerLiterals): readonly Resource[] {
  return plannedHttpListeners(scope, settings, frame).map(({ plan, from }) => workloadListener(plan, literals, from));
}

interface PlannedListener {
  readonly plan: ListenerPlan;
  readonly from: readonly ObjectKey[];
}

const plannedHttpListeners = memoize((scope: Scope, settings: ListenerSettings, frame: Frame): readonly PlannedListener[] =>
  plannedListeners(scope, settings, frame).filter(({ plan }) => holdsLiterals(plan)),
);

/**
 * Which outbound listeners exist: those that services and the Sidecar want, the HTTP proxy, and the one that redirected connections reach first, unless
 * nothing is redirected (istio `listener.go` buildSidecarListeners).
 */
const plannedListeners = memoize((scope: Scope, settings: ListenerSettings, frame: Frame): readonly PlannedListener[] => {
  if (settings.virtualOutboundPort <= 0) return [];
  const context = outboundContext(scope, settings, frame);
  const own = allocateOutbound(scope, settings).map((listener) => plannedListener(listener, scope, context));
  const others = [...httpProxy(context), ...(settings.interception === "NONE" ? [] : [virtualOutbound(context)])];
  return [...own, ...others.map((plan) => ({ plan, from: sidecarOf(scope) }))];
});

function plannedListener({ owner, chains, claims }: AllocatedListener, scope: Scope, context: OutboundContext): PlannedListener {
  const from = new Set(sidecarOf(scope));
  for (const { scoped } of claims) {
    for (const key of scoped.service.sources) from.add(key);
    for (const key of scoped.importedBy) from.add(key);
  }
  for (const chain of chains) for (const key of chain.from) from.add(key);
  return { plan: outboundPlan(context, owner, ...chains), from: [...from] };
}

function sidecarOf({ sidecar }: Scope): readonly ObjectKey[] {
  return sidecar === undefined ? [] : [sidecar];
}
