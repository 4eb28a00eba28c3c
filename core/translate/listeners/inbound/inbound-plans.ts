import { encodedChain } from "#core/envoy/filter-chain.ts";
import type { ListenerFields } from "#core/envoy/listener.ts";
import { keyed } from "#core/lib/keyed.ts";
import { memoize } from "#core/lib/memo.ts";
import type { MtlsMode, Workload } from "#core/model/workload.ts";
import { BLACK_HOLE_CLUSTER, INBOUND_PASSTHROUGH_CLUSTER } from "../../names.ts";
import { wantedSecrets } from "../../own-secrets.ts";
import { CONNECTIONS_PER_EVENT, listenerName, wildcard } from "../binds.ts";
import { blackHoleChain } from "../black-hole.ts";
import type { ChainPiece, ListenerPlan } from "../plan.ts";
import { type InboundChain, inboundChains } from "./chains.ts";
import type { InboundContext } from "./context.ts";
import { inboundListenerFilters } from "./inspectors.ts";
import { type OwnAddresses, type ServedPort, servedPorts } from "./served-port.ts";

const NAME = "virtualInbound";

/**
 * The inbound listeners of a workload: the one that redirected connections reach, with the chains of all ports, and one for each port that binds for real
 * (istio `listener_inbound.go` buildInboundListeners).
 */
export function inboundPlans(workload: Workload, context: InboundContext, own: OwnAddresses): readonly ListenerPlan[] {
  const served = servedPorts(workload, context.settings, own).map((port) => {
    const mode = modeOf(workload, port.targetPort, context);
    return { port, mode, chains: chainsAt(port, mode, context) };
  });
  const real = served
    .filter(({ port, mode }) => port.declared?.real && mode !== "CLOSED")
    .map(({ port, chains }) => boundListener(port, chains, context));
  if (context.settings.interception === "NONE") return real;
  const redirected = served.filter(({ port }) => !port.declared?.real);
  const chains = [...passthroughChains(workload, context), ...redirected.flatMap((one) => one.chains)];
  return [virtualInbound(chains, context), ...real];
}

/** `CLOSED`: mutual TLS is insisted on, and the proxy has no certificate for it. */
type InboundMode = MtlsMode | "CLOSED";

function modeOf({ mtls }: Workload, port: number, { settings }: InboundContext): InboundMode {
  const mode = mtls.ports[port] ?? mtls.mode;
  if (settings.peerTls !== undefined) return mode;
  return mode === "STRICT" ? "CLOSED" : "DISABLE";
}

/** A port that is closed has a chain that leads nowhere, so that no other chain lets anybody in. */
function chainsAt(served: ServedPort, mode: InboundMode, context: InboundContext): readonly InboundChain[] {
  if (mode !== "CLOSED") return inboundChains(served, mode, context);
  return inboundChains({ ...served, cluster: BLACK_HOLE_CLUSTER, port: { ...served.port, protocol: "TCP" } }, "DISABLE", context);
}

/** For ports that nobody declared; a port with a mode of its own gets chains of its own. */
function passthroughChains(workload: Workload, context: InboundContext): readonly InboundChain[] {
  const single = Object.keys(workload.mtls.ports)
    .map(Number)
    .filter((port) => port !== 0 && !isDeclared(workload, port));
  return [0, ...single.sort((a, b) => a - b)].flatMap((port) => passthroughAt(context, port, modeOf(workload, port, context)));
}

/** A Sidecar's ingress listeners hide what services declare. */
function isDeclared({ sidecar, targets }: Workload, port: number): boolean {
  const ingress = sidecar?.ingress ?? [];
  if (ingress.length > 0) return ingress.some((listener) => listener.port.number === port);
  return targets.some(({ targetPort }) => targetPort === port);
}

/** The same for all workloads: encoded once. */
function passthroughAt(context: InboundContext, port: number, mode: InboundMode): readonly InboundChain[] {
  return passthroughOf(context)(`${mode} ${port}`, () => {
    const served = {
      targetPort: port,
      cluster: INBOUND_PASSTHROUGH_CLUSTER,
      port: { number: 0, name: NAME, protocol: "Unsupported" },
      host: "",
    } as const;
    return chainsAt(served, mode, context).map(encodeReady);
  });
}

const passthroughOf = memoize((_context: InboundContext) => keyed<readonly InboundChain[]>());

function encodeReady({ piece, ...rest }: InboundChain): InboundChain {
  return { piece: piece.kind === "ready" ? { kind: "ready", chain: encodedChain(piece.chain) } : piece, ...rest };
}

const blackHole = memoize(
  ({ settings, frame }: InboundContext): ChainPiece => ({
    kind: "ready",
    chain: blackHoleChain(NAME, settings.virtualInboundPort, frame),
  }),
);

function virtualInbound(chains: readonly InboundChain[], context: InboundContext): ListenerPlan {
  const { settings } = context;
  const transparent = settings.interception === "TPROXY";
  return {
    fields: {
      ...listenerFields(context),
      name: NAME,
      binds: [wildcard(settings)],
      port: settings.virtualInboundPort,
      ...(transparent && { transparent }),
      listenerFilters: inboundListenerFilters(chains, [settings.virtualInboundPort], { redirected: true, transparent }),
    },
    chains: [blackHole(context), ...chains.map(({ piece }) => piece)],
    clusters: clustersOf(chains, BLACK_HOLE_CLUSTER),
    routes: [],
    secrets: secretsOf(chains, context),
  };
}

function boundListener({ declared, targetPort }: ServedPort, chains: readonly InboundChain[], context: InboundContext): ListenerPlan {
  const bind = declared?.bind ?? "";
  return {
    fields: {
      ...listenerFields(context),
      name: listenerName(bind, targetPort),
      binds: [bind],
      port: targetPort,
      listenerFilters: inboundListenerFilters(chains, [], { redirected: false, transparent: false }),
    },
    chains: chains.map(({ piece }) => piece),
    clusters: clustersOf(chains),
    routes: [],
    secrets: secretsOf(chains, context),
  };
}

type CommonFields = Omit<ListenerFields, "name" | "binds" | "port" | "listenerFilters" | "chains">;

function listenerFields({ settings, frame }: InboundContext): CommonFields {
  return {
    direction: "inbound",
    acceptPerEvent: CONNECTIONS_PER_EVENT,
    continueOnTimeout: true,
    listenerFiltersTimeout: settings.detectionTimeout,
    exactBalance: settings.inboundExactBalance,
    accessLogs: frame.accessLogs.listener,
  };
}

function clustersOf(chains: readonly InboundChain[], ...more: readonly string[]): readonly string[] {
  return [...new Set([...more, ...chains.map(({ cluster }) => cluster)])].sort();
}

/** What the proxy asks its control plane for, where no agent serves it. */
function secretsOf(chains: readonly InboundChain[], { settings: { peerTls } }: InboundContext): readonly string[] {
  return chains.some(({ kind }) => kind.terminates) ? wantedSecrets(peerTls).map(({ name }) => name) : NONE;
}

const NONE: readonly string[] = [];
