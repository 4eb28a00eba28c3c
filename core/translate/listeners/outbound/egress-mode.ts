import { UNIX_PREFIX } from "#core/envoy/address.ts";
import { interner } from "#core/lib/intern.ts";
import type { EgressListener } from "#core/model/scope.ts";
import type { SidecarPort } from "#core/model/sidecar.ts";
import { localhosts } from "../binds.ts";
import type { ListenerSettings } from "../settings.ts";

/** How the listeners of one egress listener of a Sidecar bind. */
export interface EgressMode {
  /** Empty: each service at its own address. */
  readonly binds: readonly string[];
  /** Binds sockets, instead of waiting for redirected connections. */
  readonly real: boolean;
  /** All services at this port; absent: each at its own ports. */
  readonly port?: SidecarPort;
}

const intern = interner<EgressMode>();

/**
 * Without redirection every listener binds for real, and so does one that says so or is a Unix socket; such a one without an address is for this
 * host alone (istio `listener.go` buildSidecarOutboundListeners).
 */
export function egressMode(egress: EgressListener, settings: ListenerSettings): EgressMode {
  const real = settings.interception === "NONE" || egress.captureMode === "NONE" || egress.bind.startsWith(UNIX_PREFIX);
  const { port } = egress;
  return intern({
    binds: egress.bind !== "" ? [egress.bind] : real ? localhosts(settings) : [],
    real,
    ...(port && { port: { number: port.number, protocol: port.protocol, name: port.name } }),
  });
}
