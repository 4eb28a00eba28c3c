import type { Resource } from "#core/edition/resource.ts";
import { joined } from "#core/lib/joined.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Scope } from "#core/model/scope.ts";
import type { Workload } from "#core/model/workload.ts";
import type { Frame } from "./frames/frame.ts";
import { inboundContext } from "./listeners/inbound/context.ts";
import { inboundPlans } from "./listeners/inbound/inbound-plans.ts";
import { bindsOwnAddress } from "./listeners/inbound/served-port.ts";
import { type AllocatedListener, allocateAtOwnAddress, allocateOutbound } from "./listeners/outbound/allocation.ts";
import type { ChainPlan } from "./listeners/outbound/chain.ts";
import { type OutboundContext, outboundContext } from "./listeners/outbound/context.ts";
import { httpProxy } from "./listeners/outbound/http-proxy.ts";
import { outboundPlan } from "./listeners/outbound/spell.ts";
import { virtualOutbound } from "./listeners/outbound/virtual-outbound.ts";
import { holdsLiterals, type ListenerPlan, type PlannedListener, sharedListener, workloadListener } from "./listeners/plan.ts";
import type { ListenerSettings } from "./listeners/settings.ts";
import type { ListenerLiterals } from "./literals.ts";

/** What outbound listeners are made of. Values with equal parts give the same result. */
export interface OutboundInput {
  readonly scope: Scope;
  readonly settings: ListenerSettings;
  readonly frame: Frame;
}

/** Outbound listeners in which no workload's own name appears: one form for all nodes of the scope. */
export function outboundListeners(input: OutboundInput): readonly Resource[] {
  return sharedListeners(plannedListeners(input));
}

const sharedListeners = memoize((planned: readonly PlannedListener[]): readonly Resource[] =>
  planned.flatMap(({ plan, from }) => (holdsLiterals(plan) ? [] : [sharedListener(plan, from)])),
);

/** Those that carry the workload's names in telemetry tags: all with a connection manager. */
export function outboundHttpListeners(input: OutboundInput, literals: ListenerLiterals): readonly Resource[] {
  return httpListeners(plannedListeners(input)).map(({ plan, from }) => workloadListener(plan, literals, from));
}

const httpListeners = memoize((planned: readonly PlannedListener[]): readonly PlannedListener[] => planned.filter(({ plan }) => holdsLiterals(plan)));

/**
 * The route configurations that outbound listeners name, sorted: the same for all workloads of the scope, those included that only nodes with an
 * endpoint's address have.
 */
export function outboundRoutes(input: OutboundInput): readonly string[] {
  const { scope, settings } = input;
  const own = contestedAddresses(allocateOutbound(scope, settings)).flatMap((address) => allocateAtOwnAddress(scope, settings, address));
  const names = routeNames(plannedListeners(input));
  return own.length === 0 ? names : [...new Set([...names, ...own.flatMap(({ chains }) => chains.flatMap(routesOf))])].sort();
}

const routeNames = memoize((planned: readonly PlannedListener[]): readonly string[] =>
  [...new Set(planned.flatMap(({ plan }) => plan.routes))].sort(),
);

/** Addresses of endpoints at which others want a listener, too. */
const contestedAddresses = memoize((allocated: readonly AllocatedListener[]): readonly string[] => {
  const contested = allocated.filter(({ claims }) => claims.some(({ ownAddress }) => ownAddress) && claims.some(({ ownAddress }) => !ownAddress));
  return [...new Set(contested.flatMap(({ owner }) => owner.binds.slice(0, 1)))];
});

function routesOf({ body }: ChainPlan): readonly string[] {
  return body.kind === "http" ? [body.routes] : [];
}

/** The same list as long as nothing in it changed: all that follows hangs on it. */
function plannedListeners({ scope, settings, frame }: OutboundInput): readonly PlannedListener[] {
  return plans(allocateOutbound(scope, settings), outboundContext(scope, settings, frame), scope.sidecar);
}

/**
 * Which outbound listeners exist: those that services and the Sidecar want, the HTTP proxy, and the one that redirected connections reach first, unless
 * nothing is redirected (istio `listener.go` buildSidecarListeners).
 */
const plans = memoize(
  (allocated: readonly AllocatedListener[], context: OutboundContext, sidecar: ObjectKey | undefined): readonly PlannedListener[] => {
    const { settings } = context;
    if (settings.virtualOutboundPort <= 0) return [];
    const own = allocated.map((listener) => plannedListener(listener, sidecar, context));
    const others = [...httpProxy(context), ...(settings.interception === "NONE" ? [] : [virtualOutbound(context)])];
    return [...own, ...others.map((plan) => ({ plan, from: sidecar === undefined ? [] : [sidecar] }))];
  },
);

function plannedListener(
  { owner, chains, claims, hiding }: AllocatedListener,
  sidecar: ObjectKey | undefined,
  context: OutboundContext,
): PlannedListener {
  const from = new Set(sidecar === undefined ? hiding : [sidecar, ...hiding]);
  for (const { scoped, endpoint } of claims) for (const key of [...scoped.service.sources, ...scoped.importedBy, ...endpoint]) from.add(key);
  for (const chain of chains) for (const key of chain.from) from.add(key);
  return { plan: outboundPlan(context, owner, ...chains), from: [...from] };
}

/** What inbound listeners are made of. */
export interface InboundInput {
  readonly workload: Workload;
  readonly settings: ListenerSettings;
  readonly frame: Frame;
}

const NO_ADDRESSES: readonly string[] = [];

/**
 * The inbound listeners of a workload. None where their place depends on the node's own address: those are {@link ownAddressListeners}
 * (istio `listener_inbound.go` buildInboundListeners).
 */
export function inboundListeners({ workload, settings, frame }: InboundInput, literals: ListenerLiterals): readonly Resource[] {
  if (bindsOwnAddress(workload)) return [];
  return plannedInbound(workload, settings, frame).map((plan) => workloadListener(plan, literals, workloadSources(workload)));
}

const plannedInbound = memoize((workload: Workload, settings: ListenerSettings, frame: Frame): readonly ListenerPlan[] =>
  settings.virtualOutboundPort <= 0 ? [] : inboundPlans(workload, inboundContext(settings, frame), NO_ADDRESSES),
);

/** All that targets the workload counts: of two services on one port the younger would inherit. */
const workloadSources = memoize(({ targets, sidecar, mtls, sources }: Workload): readonly ObjectKey[] => [
  ...new Set([...(sidecar?.sources ?? []), ...mtls.sources, ...sources, ...targets.flatMap(({ service }) => service.sources)]),
]);

/** A listener that one node has in another form than its scope or workload, or not at all. */
export type OwnListener = {
  readonly name: string;
  readonly resource?: Resource;
  /** Why it has none: what others have the listener for. */
  readonly hiddenBy?: readonly ObjectKey[];
};

/**
 * What depends on a node's own addresses: it has no listener for itself among those of a headless service's endpoints, unless others want that place;
 * and a Sidecar's ingress listeners are at its address if they name none.
 */
export function ownAddressListeners(
  outbound: OutboundInput,
  { workload, settings, frame }: InboundInput,
  literals: ListenerLiterals,
  addresses: readonly string[],
): readonly OwnListener[] {
  const [first = ""] = addresses;
  const inbound = bindsOwnAddress(workload) ? inboundPlans(workload, inboundContext(settings, frame), addresses) : [];
  const taken = new Set(inbound.map((plan) => plan.fields.name));
  return [
    ...withoutOwnEndpoint(outbound, first, literals).filter(({ name, resource }) => resource !== undefined || !taken.has(name)),
    ...inbound.map((plan) => ({ name: plan.fields.name, resource: workloadListener(plan, literals, workloadSources(workload)) })),
  ];
}

function withoutOwnEndpoint({ scope, settings, frame }: OutboundInput, address: string, literals: ListenerLiterals): readonly OwnListener[] {
  const own = endpointListeners(allocateOutbound(scope, settings)).get(address);
  if (own === undefined) return [];
  const context = outboundContext(scope, settings, frame);
  const others = new Map(allocateAtOwnAddress(scope, settings, address).map((listener) => [listener.owner.name, listener]));
  return [...own].map(([name, hiddenBy]) => {
    const left = others.get(name);
    if (left === undefined) return { name, hiddenBy };
    const { plan, from } = plannedListener(left, scope.sidecar, context);
    return { name, resource: holdsLiterals(plan) ? workloadListener(plan, literals, from) : sharedListener(plan, from) };
  });
}

/** Listeners that exist for an endpoint's sake, by its address: their names, and what makes them exist. */
const endpointListeners = memoize((allocated: readonly AllocatedListener[]): ReadonlyMap<string, ReadonlyMap<string, readonly ObjectKey[]>> => {
  const found = new Map<string, Map<string, readonly ObjectKey[]>>();
  for (const { ownAddress, binds, name, scoped, endpoint } of allocated.flatMap(({ claims }) => claims)) {
    const [address = ""] = binds;
    if (!ownAddress) continue;
    const names = found.get(address) ?? new Map<string, readonly ObjectKey[]>();
    found.set(address, names.set(name, joined(names.get(name) ?? [], scoped.service.sources, endpoint)));
  }
  return found;
});

/** The addresses of endpoints that have listeners of their own, sorted: a node at one of them is served {@link ownAddressListeners}. */
export function endpointAddresses(scope: Scope, settings: ListenerSettings): readonly string[] {
  return sortedAddresses(allocateOutbound(scope, settings));
}

const sortedAddresses = memoize((allocated: readonly AllocatedListener[]): readonly string[] => [...endpointListeners(allocated).keys()].sort());
