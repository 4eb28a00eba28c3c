import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { isHttp, isTcp } from "#core/model/protocol.ts";
import type { ScopedService } from "#core/model/scope.ts";
import type { Service, ServicePort } from "#core/model/service.ts";
import { serviceAddress, serviceAddresses, UNSPECIFIED } from "../../service-address.ts";
import { canBind, listenerName, type WantedBind, wildcard, wildcards } from "../binds.ts";
import type { ListenerSettings } from "../settings.ts";
import type { EgressMode } from "./egress-mode.ts";

/** One service port's wish to have a listener at one place. Neighbours with the same wish meet in allocation. */
export interface Claim {
  /** Of the listener: what is claimed. */
  readonly name: string;
  /** The first one names the listener. */
  readonly binds: readonly string[];
  readonly real: boolean;
  /** The listener's port: the service's, or that of the Sidecar's egress listener. */
  readonly port: Pick<ServicePort, "number" | "protocol" | "name">;
  readonly scoped: ScopedService;
  /** Addresses of the service that are ranges: its chains match them. */
  readonly ranges: readonly string[];
  /** Made for an endpoint's own address: the endpoint itself has no such listener. */
  readonly ownAddress: boolean;
  /** The objects that the endpoint was made of. */
  readonly endpoint: readonly ObjectKey[];
}

/** What one service wants of one egress listener, in the order of its ports. */
export const claimsOf = memoize((scoped: ScopedService, mode: EgressMode, settings: ListenerSettings): readonly Claim[] => {
  if (scoped.service.resolution === "alias") return [];
  const { port } = mode;
  if (port !== undefined) return claimsAt(scoped, port, mode, settings);
  return scoped.service.ports.flatMap((own) =>
    (isHeadless(scoped.service, own, mode, settings) ? headlessClaims : claimsAt)(scoped, own, mode, settings),
  );
});

type Port = Claim["port"];

/**
 * Services without an address of their own whose traffic isn't known to be HTTP: then only the endpoint's address tells it from other services'. For
 * HTTP the host does, so that one listener serves all.
 */
function isHeadless(service: Service, { protocol }: Port, mode: EgressMode, settings: ListenerSettings): boolean {
  if (mode.binds.length > 0 || service.resolution !== "passthrough") return false;
  if (!isTcp(protocol) && protocol !== "Unsupported") return false;
  return serviceAddress(service, settings.addresses) === UNSPECIFIED;
}

/**
 * A listener for each endpoint. Without endpoints there is none, lest it take the port from others when the service scales down; only a plain
 * ServiceEntry, which never has endpoints, is served on all addresses (istio `listener.go` buildSidecarOutboundListeners).
 */
function headlessClaims(scoped: ScopedService, port: Port, mode: EgressMode, settings: ListenerSettings): readonly Claim[] {
  const facts = scoped.derived.ports[port.number];
  if (facts === undefined) {
    const { registry, selector } = scoped.service;
    const plain = registry !== "Kubernetes" && Object.keys(selector).length === 0;
    return plain ? claimsAt(scoped, port, mode, settings) : [];
  }
  if (!mayBind(port, mode, settings)) return [];
  return facts.addresses.map(({ address, sources }) =>
    claim(scoped, port, mode.real, { binds: [address], ranges: [], ownAddress: true, endpoint: sources }),
  );
}

function claimsAt(scoped: ScopedService, port: Port, mode: EgressMode, settings: ListenerSettings): readonly Claim[] {
  if (port.protocol === "UDP" || !mayBind(port, mode, settings)) return [];
  return [claim(scoped, port, mode.real, placeOf(scoped.service, port, mode, settings))];
}

function mayBind(port: Port, mode: EgressMode, settings: ListenerSettings): boolean {
  const wanted: WantedBind = { bind: mode.binds[0] ?? "", real: mode.real };
  return canBind(wanted, port, settings, [...settings.ownPorts, settings.virtualOutboundPort, settings.virtualInboundPort]);
}

type Place = Pick<Claim, "binds" | "ranges" | "ownAddress" | "endpoint">;

const SHARED = { ranges: [], ownAddress: false, endpoint: [] } as const;

/** HTTP of all services shares one listener on all addresses; anything else is told apart by the service's address. */
function placeOf(service: Service, port: Port, mode: EgressMode, settings: ListenerSettings): Place {
  if (mode.binds.length > 0) return { binds: mode.binds, ...SHARED };
  if (isHttp(port.protocol)) return { binds: wildcards(settings), ...SHARED };
  const address = serviceAddress(service, settings.addresses);
  const others = serviceAddresses(service, settings.addresses).slice(1);
  if (address.includes("/")) return { binds: wildcards(settings), ranges: [address, ...others], ownAddress: false, endpoint: [] };
  return { binds: [familyAddress(service, address, settings), ...others, ...otherFamily(service, address, settings)], ...SHARED };
}

/** The unspecified address of a ServiceEntry says nothing of a family: it stands for all of the client's. */
function familyAddress(service: Service, address: string, settings: ListenerSettings): string {
  return isUnspecified(service, address) && settings.addresses.families === "v6" ? wildcard(settings) : address;
}

function otherFamily(service: Service, address: string, settings: ListenerSettings): readonly string[] {
  return isUnspecified(service, address) ? wildcards(settings).slice(1) : [];
}

function isUnspecified({ registry }: Service, address: string): boolean {
  return registry === "External" && address === UNSPECIFIED;
}

function claim(scoped: ScopedService, { number, protocol, name }: Port, real: boolean, place: Place): Claim {
  return { name: listenerName(place.binds[0] ?? "", number), real, port: { number, protocol, name }, scoped, ...place };
}
