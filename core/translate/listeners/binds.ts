import { isHttp } from "#core/model/protocol.ts";
import type { ServicePort } from "#core/model/service.ts";
import type { ListenerSettings } from "./settings.ts";

const WILDCARDS = { v4: ["0.0.0.0"], v6: ["::"], dual: ["0.0.0.0", "::"] } as const;
const LOCALHOSTS = { v4: ["127.0.0.1"], v6: ["::1"], dual: ["127.0.0.1", "::1"] } as const;

/** All addresses of the client's families; the first one names listeners. */
export function wildcards({ addresses }: ListenerSettings): readonly string[] {
  return WILDCARDS[addresses.families];
}

/** The loopback addresses of the client's families. */
export function localhosts({ addresses }: ListenerSettings): readonly string[] {
  return LOCALHOSTS[addresses.families];
}

/** The first of {@link wildcards}. */
export function wildcard({ addresses }: ListenerSettings): string {
  return WILDCARDS[addresses.families][0];
}

/**
 * Is it where all services of a port meet, so that hosts and server names must tell them apart? All addresses; and where nothing is redirected to a proxy that
 * shares its host, the loopback address by which applications reach it.
 */
export function isMeetingPlace(bind: string | undefined, settings: ListenerSettings): boolean {
  return bind === wildcard(settings) || (isLoopbackOnly(settings) && bind === localhosts(settings)[0]);
}

function isLoopbackOnly({ sharesHost, interception }: ListenerSettings): boolean {
  return sharesHost && interception === "NONE";
}

/** How many connections a listener takes from its socket at once, so that workers share them (Istio's `MAX_CONNECTIONS_PER_SOCKET_EVENT_LOOP`). */
export const CONNECTIONS_PER_EVENT = 1;

/** A listener's name (istio `gateway.go` getListenerName). */
export function listenerName(bind: string, port: number): string {
  return `${bind}_${port}`;
}

/** Where a listener wants to be: "" leaves the address to the kind of listener. */
export interface WantedBind {
  readonly bind: string;
  /** Binds a socket, instead of waiting for redirected connections. */
  readonly real: boolean;
}

/**
 * May a listener be there? Not on a privileged port that it would really bind, and not on all addresses of a port that the proxy serves itself:
 * HTTP listeners without an address of their own end up there (istio `model/context.go` CanBindToPort). A proxy that shares its host with others keeps off
 * its own ports on every address.
 */
export function canBind(
  { bind, real }: WantedBind,
  port: Pick<ServicePort, "number" | "protocol">,
  settings: ListenerSettings,
  reserved: readonly number[],
): boolean {
  if (real && port.number > 0 && port.number < 1024 && settings.unprivileged) return false;
  if (real && port.number > 0 && settings.sharesHost && settings.ownPorts.includes(port.number)) return false;
  const everywhere = bind === "" ? isHttp(port.protocol) : bind === wildcard(settings);
  return !everywhere || !reserved.includes(port.number);
}
