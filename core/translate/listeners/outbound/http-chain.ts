import { isWildcard } from "#core/lib/hostname.ts";
import { isMeetingPlace } from "../binds.ts";
import type { ListenerSettings } from "../settings.ts";
import type { ChainPlan, HttpBody, PlannedMatch } from "./chain.ts";
import type { Claim } from "./claim.ts";

/** What the HTTP inspector recognises as HTTP in the clear. */
export const PLAIN_HTTP_PROTOCOLS = ["http/1.1", "h2c"] as const;

const ANYTHING: PlannedMatch = { serverNames: [], ranges: [], applicationProtocols: [], transport: "" };
const DETECTED_HTTP: PlannedMatch = { serverNames: [], ranges: [], applicationProtocols: PLAIN_HTTP_PROTOCOLS, transport: "raw_buffer" };

/**
 * The HTTP chain of a claim. Where other traffic may come to the same place (the listener is on all addresses, or the protocol isn't declared), it takes
 * only what is recognised as HTTP (istio `listener.go` buildSidecarOutboundHTTPListenerOpts).
 */
export function httpChain(claim: Claim, detected: boolean, settings: ListenerSettings): ChainPlan {
  const { service } = claim.scoped;
  const forwards = service.resolution === "dynamic-dns" && isWildcard(service.host);
  const body: HttpBody = {
    kind: "http",
    routes: routesName(claim, settings),
    protocol: claim.port.protocol,
    ...(forwards && { forwardHost: service.host }),
  };
  return { match: detected ? DETECTED_HTTP : ANYTHING, body, from: [] };
}

/** Routes of a detected protocol at a service's own address are that service's alone; a Unix socket has routes of its own. */
function routesName({ binds, port, scoped }: Claim, settings: ListenerSettings): string {
  const [primary = ""] = binds;
  if (port.number === 0) return primary;
  const own = port.protocol === "Unsupported" && !isMeetingPlace(primary, settings);
  return own ? `${scoped.service.host}:${port.number}` : String(port.number);
}
