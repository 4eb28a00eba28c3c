import { joined } from "#core/lib/joined.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { isHttp, isTcp, type Protocol } from "#core/model/protocol.ts";
import type { Scope } from "#core/model/scope.ts";
import { isMeetingPlace } from "../binds.ts";
import type { ListenerSettings } from "../settings.ts";
import { type ChainPlan, sameMatch } from "./chain.ts";
import { byteChains, detectedHttpChains, httpChains } from "./chains.ts";
import { type Claim, claimsOf } from "./claim.ts";
import { type Egress, egressOf } from "./egress.ts";
import { isTaken, type TakenPlaces, takenPlaces } from "./taken-places.ts";

/** One listener that exists, and what it is made of. */
export interface AllocatedListener {
  /** Whose claim came first: it gives name, addresses and port. */
  readonly owner: Claim;
  readonly chains: readonly ChainPlan[];
  /** All who wanted to be here, in order; those who lost decided nothing, but would inherit. */
  readonly claims: readonly Claim[];
  /** Of services that hide others which would claim the port. */
  readonly hiding: readonly ObjectKey[];
}

interface Entry {
  owner: Claim;
  /** `Unsupported`: protocols are detected. */
  protocol: Protocol;
  chains: readonly ChainPlan[];
  claims: Claim[];
  hiding: readonly ObjectKey[];
  /** Belongs to an egress listener with a port: later ones don't add to it. */
  locked: boolean;
}

const NOBODY: readonly ObjectKey[] = [];

type Entries = Map<string, Entry>;

/**
 * Which outbound listeners exist, and who owns them (istio `listener.go` buildSidecarOutboundListeners). Sees names, addresses, ports, protocols and what
 * chains match; services come in Istio's order, the oldest first.
 */
export function allocateOutbound(scope: Scope, settings: ListenerSettings): readonly AllocatedListener[] {
  return allocationOf(settings, takenPlaces(scope.services, settings), ...egressOf(scope, settings));
}

const allocationOf = memoize((settings: ListenerSettings, taken: TakenPlaces, ...egress: readonly Egress[]): readonly AllocatedListener[] => [
  ...allocate(egress, settings, (claim) => !isTaken(claim, taken)).values(),
]);

/**
 * The same for the one address of a node's own: no endpoint has the listeners that others have for it (istio: "skip build outbound listener to the node
 * itself"), but the address may be wanted for other reasons.
 */
export function allocateAtOwnAddress(scope: Scope, settings: ListenerSettings, address: string): readonly AllocatedListener[] {
  const wanted = ({ binds, ownAddress }: Claim) => !ownAddress && binds[0] === address;
  return [...allocate(egressOf(scope, settings), settings, wanted).values()];
}

function allocate(listeners: readonly Egress[], settings: ListenerSettings, wanted: (claim: Claim) => boolean): Entries {
  const entries: Entries = new Map();
  for (const egress of listeners) {
    if (egress.mode.port === undefined) for (const entry of entries.values()) entry.locked = true;
    for (const scoped of egress.services) {
      for (const claim of claimsOf(scoped, egress.mode, settings)) if (wanted(claim)) settle(claim, entries, { egress, settings });
    }
  }
  noteHiding(listeners, entries);
  return entries;
}

function noteHiding(listeners: readonly Egress[], entries: Entries): void {
  for (const { hiddenPorts, sources } of listeners.flatMap(({ services }) => services.map(({ service }) => service))) {
    if (hiddenPorts === undefined) continue;
    for (const entry of entries.values()) if (hiddenPorts.includes(entry.owner.port.number)) entry.hiding = joined(entry.hiding, sources);
  }
}

interface Context {
  readonly egress: Egress;
  readonly settings: ListenerSettings;
}

/** Where a claim meets those before it. */
function settle(claim: Claim, entries: Entries, context: Context): void {
  const entry = entries.get(claim.name);
  if (entry?.locked) return;
  const outcome = meet(claim, entry?.protocol, context);
  if (entry === undefined || outcome.kind === "replace") {
    entries.set(claim.name, {
      owner: claim,
      protocol: outcome.protocol,
      chains: outcome.chains(),
      claims: [...(entry?.claims ?? []), claim],
      hiding: NOBODY,
      locked: false,
    });
    return;
  }
  entry.claims.push(claim);
  if (outcome.kind === "merge") {
    entry.chains = merged(entry.chains, outcome.chains());
    entry.protocol = outcome.protocol;
  }
}

interface Outcome {
  readonly kind: "replace" | "merge" | "ignore";
  readonly protocol: Protocol;
  readonly chains: () => readonly ChainPlan[];
}

/** The table of conflicts: what a claim does to a listener of a protocol; undefined where there is none yet (istio `listener.go` buildSidecarOutboundListener). */
function meet(claim: Claim, existing: Protocol | undefined, context: Context): Outcome {
  const { protocol } = claim.port;
  const outcome =
    protocol === "HTTP_PROXY"
      ? proxyOutcome(claim, context)
      : isHttp(protocol)
        ? httpOutcome(claim, existing, context)
        : byteOutcome(claim, existing, context);
  const replaces = existing === undefined || (outcome.kind === "replace" && protocol === "HTTP_PROXY");
  return !replaces && !coexist(protocol, existing) ? { ...outcome, kind: "ignore" } : outcome;
}

/** Mongo and MySQL servers speak first, so that nothing can be detected beside them. */
function coexist(incoming: Protocol, existing: Protocol | undefined): boolean {
  const special = [incoming, existing].some((protocol) => protocol === "Mongo" || protocol === "MySQL");
  return !special || incoming === existing;
}

/** A port that is declared an HTTP proxy takes its place whoever had it. */
function proxyOutcome(claim: Claim, { settings }: Context): Outcome {
  return { kind: "replace", protocol: "HTTP_PROXY", chains: () => httpChains(claim, settings) };
}

/** HTTP joins TCP by detection; another HTTP listener serves it already. On all addresses anything may come, so that protocols are detected. */
function httpOutcome(claim: Claim, existing: Protocol | undefined, { settings }: Context): Outcome {
  const everywhere = isMeetingPlace(claim.binds[0], settings);
  const chains = () => (everywhere ? detectedHttpChains : httpChains)(claim, settings);
  if (existing === undefined) return { kind: "replace", protocol: everywhere ? "Unsupported" : claim.port.protocol, chains };
  return { kind: isTcp(existing) ? "merge" : "ignore", protocol: "Unsupported", chains };
}

/** Bytes join what is there; an undeclared protocol takes over from plain HTTP, and adds nothing where protocols are detected already. */
function byteOutcome(claim: Claim, existing: Protocol | undefined, { egress, settings }: Context): Outcome {
  const { protocol } = claim.port;
  const bytes = () => byteChains(claim, egress, settings);
  const detected = protocol === "Unsupported";
  const chains = detected ? () => [...bytes(), ...detectedHttpChains(claim, settings)] : bytes;
  if (existing === undefined) return { kind: "replace", protocol, chains };
  if (detected && isHttp(existing)) return { kind: "replace", protocol, chains };
  if (detected && !isTcp(existing)) return { kind: "ignore", protocol: existing, chains };
  const upgraded = isHttp(existing) || (detected && isTcp(existing));
  return { kind: "merge", protocol: upgraded ? "Unsupported" : existing, chains };
}

/** Adds chains that take something that no chain before them takes alike. */
function merged(chains: readonly ChainPlan[], incoming: readonly ChainPlan[]): readonly ChainPlan[] {
  const result = [...chains];
  for (const chain of incoming) if (!result.some((other) => sameMatch(other.match, chain.match))) result.push(chain);
  return result;
}
