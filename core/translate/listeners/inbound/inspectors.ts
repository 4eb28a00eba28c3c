import {
  httpInspector,
  type ListenerFilter,
  originalDestination,
  originalSource,
  portsAre,
  portsAreNot,
  tlsInspector,
} from "#core/envoy/listener-filters.ts";
import { PLAIN_HTTP_PROTOCOLS } from "../outbound/http-chain.ts";
import type { InboundChain } from "./chains.ts";

/** What the chains of a port want to know of a connection. */
interface Wanted {
  tls: boolean;
  http: boolean;
}

export interface Arrival {
  /** Connections were redirected: their original destination is to be found out. */
  readonly redirected: boolean;
  /** And their source is kept. */
  readonly transparent: boolean;
}

/**
 * The filters of an inbound listener. Inspectors read what a client sends first, which servers that speak first would wait for in vain: they are off on
 * each port whose chains don't ask for them (istio `listener_inbound.go` populateListenerFilters).
 */
export function inboundListenerFilters(
  chains: readonly Pick<InboundChain, "port" | "kind">[],
  more: readonly number[],
  arrival: Arrival,
): readonly ListenerFilter[] {
  const ports = wantedByPort(chains, more);
  const wanted = [...ports.values()];
  return [
    ...(arrival.redirected ? [originalDestination()] : []),
    ...(arrival.redirected && arrival.transparent ? [originalSource()] : []),
    ...(wanted.some(({ tls }) => tls) ? [tlsFilter(ports)] : []),
    ...(wanted.some(({ http }) => http) ? [httpFilter(ports)] : []),
  ];
}

function wantedByPort(chains: readonly Pick<InboundChain, "port" | "kind">[], more: readonly number[]): ReadonlyMap<number, Wanted> {
  const ports = new Map<number, Wanted>(more.map((port) => [port, { tls: false, http: false }]));
  for (const { port, kind } of chains) {
    const wanted = ports.get(port) ?? { tls: false, http: false };
    wanted.tls ||= kind.transport === "tls";
    wanted.http ||= PLAIN_HTTP_PROTOCOLS.some((protocol) => kind.applicationProtocols.includes(protocol));
    ports.set(port, wanted);
  }
  return ports;
}

/** Where undeclared ports want it, declared ones are taken out; otherwise those that want it are let in. */
function tlsFilter(ports: ReadonlyMap<number, Wanted>): ListenerFilter {
  const everywhere = ports.get(0)?.tls ?? false;
  const listed = sortedPorts(ports, ({ tls }) => tls !== everywhere).filter((port) => port !== 0);
  if (listed.length === 0) return tlsInspector();
  return tlsInspector(everywhere ? portsAre(listed) : portsAreNot(listed));
}

function httpFilter(ports: ReadonlyMap<number, Wanted>): ListenerFilter {
  const off = sortedPorts(ports, ({ http }) => !http);
  return off.length === 0 ? httpInspector() : httpInspector(portsAre(off));
}

function sortedPorts(ports: ReadonlyMap<number, Wanted>, test: (wanted: Wanted) => boolean): number[] {
  return [...ports].flatMap(([port, wanted]) => (test(wanted) ? [port] : [])).sort((a, b) => a - b);
}
