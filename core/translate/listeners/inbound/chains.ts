import { type ChainMatch, type FilterChainFields, filterChainMessage, type NetworkFilter } from "#core/envoy/filter-chain.ts";
import { connectionManagerHead } from "#core/envoy/http-connection-manager.ts";
import { inboundRoutes } from "#core/envoy/inbound-route.ts";
import { configMetadata } from "#core/envoy/istio-metadata.ts";
import { mongoProxyFilter } from "#core/envoy/network-filters.ts";
import { tcpProxyFilter } from "#core/envoy/tcp-proxy.ts";
import { hostAndPort } from "#core/lib/host-port.ts";
import { keyed } from "#core/lib/keyed.ts";
import { memoize } from "#core/lib/memo.ts";
import { isGrpc, isHttp2, type Protocol } from "#core/model/protocol.ts";
import type { MtlsMode } from "#core/model/workload.ts";
import { type ManagerVariant, managerFrame, managerVariant } from "../../frames/connection-manager.ts";
import { beforeHttp, orderNetworkFilters } from "../../frames/filter-slots.ts";
import { statName } from "../../stat-name.ts";
import { listenerName } from "../binds.ts";
import type { ChainPiece, ManagerPiece } from "../plan.ts";
import { type ChainKind, chainKinds } from "./chain-kinds.ts";
import type { InboundContext } from "./context.ts";
import { httpPeerSocket, tcpPeerSocket } from "./peer-tls.ts";
import type { ServedPort } from "./served-port.ts";

/** A chain, and what of its match inspectors must find out. */
export interface InboundChain {
  readonly piece: ChainPiece;
  /** 0: any port. */
  readonly port: number;
  readonly kind: ChainKind;
  readonly cluster: string;
}

/** The chains of one port (istio `listener_inbound.go` inboundChainForOpts). */
export function inboundChains(served: ServedPort, mode: MtlsMode, context: InboundContext): readonly InboundChain[] {
  const kinds = chainKinds(served.port.protocol, mode);
  const manager = kinds.some(({ protocol }) => protocol === "http") ? managerPiece(served, context) : undefined;
  const filters = kinds.some(({ protocol }) => protocol === "tcp") ? tcpFilters(served, context) : [];
  return kinds.map((kind) => {
    const fields = chainFields(served, kind, context);
    const piece: ChainPiece =
      kind.protocol === "http" && manager !== undefined
        ? { kind: "http", http: { fields, before: httpPrelude(context), manager } }
        : { kind: "ready", chain: filterChainMessage(fields, filters) };
    return { piece, port: served.targetPort, kind, cluster: served.cluster };
  });
}

function chainFields(served: ServedPort, kind: ChainKind, { settings }: InboundContext): Omit<FilterChainFields, "filters"> {
  const { sidecar, targetPort: port } = served;
  const socket = kind.protocol === "http" ? httpPeerSocket : tcpPeerSocket;
  return {
    name: chainName(served, kind),
    match: matchesOf(kind)(String(port), () => ({ ...kind, ...(port !== 0 && { port }), ranges: [], serverNames: [] })),
    ...(kind.terminates && settings.peerTls && { transportSocket: socket(settings.peerTls) }),
    ...(sidecar && { metadata: configMetadata("sidecar", sidecar) }),
  };
}

const matchesOf = memoize((_kind: ChainKind) => keyed<ChainMatch>());

function chainName({ declared, targetPort }: ServedPort, { protocol }: ChainKind): string {
  if (declared !== undefined) return listenerName(declared.bind, targetPort);
  return protocol === "http" ? "virtualInbound-catchall-http" : "virtualInbound";
}

const httpPrelude = memoize(({ frame }: InboundContext): readonly NetworkFilter[] => orderNetworkFilters(beforeHttp(frame.networkFilters)));

/** All HTTP chains of a port have one connection manager. */
function managerPiece({ declared, targetPort, cluster, host, port }: ServedPort, { frame }: InboundContext): ManagerPiece {
  const operation = `${hostAndPort(host, port.number)}/*`;
  const config = inboundRoutes({ cluster, servicePort: port.number, operation, retry: !isGrpc(port.protocol) });
  const statPrefix = declared === undefined ? `${cluster};` : `inbound_${listenerName(declared.bind, targetPort)};`;
  return {
    head: connectionManagerHead(statPrefix, { kind: "inline", config }),
    frame: managerFrame(frame, variantOf(port.protocol)),
  };
}

const PLAIN = managerVariant({});
const HTTP2 = managerVariant({ http2: true });
const GRPC_WEB = managerVariant({ http2: true, grpcWeb: true });

function variantOf(protocol: Protocol): ManagerVariant {
  if (protocol === "GRPC-Web") return GRPC_WEB;
  return isHttp2(protocol) ? HTTP2 : PLAIN;
}

function tcpFilters(served: ServedPort, { settings, frame }: InboundContext): readonly NetworkFilter[] {
  const { cluster, host, port, service } = served;
  const { idleTimeout, inboundStatName: pattern } = settings;
  const subject = { host, ...(service && { service }), subset: "", port: port.number, portName: port.name };
  const statPrefix = pattern === "" ? cluster : statName(pattern, subject);
  const proxy = { statPrefix, targets: { kind: "cluster", cluster }, ...(idleTimeout && { idleTimeout }), accessLogs: frame.accessLogs.tcp } as const;
  return orderNetworkFilters({
    ...frame.networkFilters,
    ...(port.protocol === "Mongo" && { protocol: [mongoProxyFilter(statPrefix)] }),
    terminal: [tcpProxyFilter(proxy)],
  });
}
