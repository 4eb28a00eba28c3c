import { formatAddress, parseAddress } from "#core/lib/address.ts";
import { isGlobalUnicast } from "#core/lib/global-unicast.ts";
import { splitHostPort } from "#core/lib/host-port.ts";
import type { ServicePort } from "#core/model/service.ts";
import type { Sidecar } from "#core/model/sidecar.ts";
import type { ServiceTarget, Workload } from "#core/model/workload.ts";
import { inboundClusterName } from "../../names.ts";
import { canBind, wildcard } from "../binds.ts";
import type { ListenerSettings } from "../settings.ts";

/** One port of the workload that its proxy serves, or (0, and without a place of its own) all that nobody declared. */
export interface ServedPort {
  readonly targetPort: number;
  readonly cluster: string;
  readonly declared?: {
    /** Names the chains, and the listener if it binds for real. */
    readonly bind: string;
    /** Binds a socket, instead of waiting for redirected connections. */
    readonly real: boolean;
  };
  /** As the service has it; its number and name appear in telemetry. */
  readonly port: Pick<ServicePort, "number" | "name" | "protocol">;
  /** Who is served, for telemetry. */
  readonly host: string;
  readonly service?: ServiceTarget["service"];
  /** The Sidecar whose ingress listener it is. */
  readonly sidecar?: Pick<Sidecar, "namespace" | "name">;
}

/** The addresses that a node may bind, as it announces them; absent where nothing depends on them. */
export type OwnAddresses = readonly string[];

/** Does the place of a port depend on the node's own address? */
export function bindsOwnAddress({ sidecar }: Workload): boolean {
  return (sidecar?.ingress ?? []).some(({ bind }) => bind === "");
}

/**
 * The ports that a workload serves, by number: a Sidecar's ingress listeners if it has any, else what services target. Without redirection the latter
 * would take the application's own ports, so that there are none (istio `listener_inbound.go` buildInboundChainConfigs).
 */
export function servedPorts(workload: Workload, settings: ListenerSettings, own: OwnAddresses): readonly ServedPort[] {
  const { sidecar } = workload;
  const ports =
    sidecar !== undefined && sidecar.ingress.length > 0
      ? // A Sidecar of the root namespace goes by the namespace that it is applied to.
        ingressPorts({ ...sidecar, namespace: workload.namespace }, settings, own)
      : settings.interception === "NONE"
        ? []
        : workload.targets.flatMap((target) => targetPort(target, settings));
  return firstOfEach(ports).sort((a, b) => a.targetPort - b.targetPort);
}

/** The oldest service decides the protocol of a port that several target. */
function firstOfEach(ports: readonly ServedPort[]): ServedPort[] {
  const byPort = new Map<number, ServedPort>();
  for (const port of ports) if (!byPort.has(port.targetPort)) byPort.set(port.targetPort, port);
  return [...byPort.values()];
}

function targetPort({ service, port, targetPort: number }: ServiceTarget, settings: ListenerSettings): readonly ServedPort[] {
  if (number === 0 && !settings.servesPortZero) return [];
  const reserved = [...settings.ownPorts, settings.virtualOutboundPort, settings.virtualInboundPort];
  const declared = { bind: wildcard(settings), real: false };
  if (!canBind(declared, { number, protocol: port.protocol }, settings, reserved)) return [];
  return [{ targetPort: number, cluster: inboundClusterName(number), declared, port: portOf(port), host: service.host, service }];
}

function ingressPorts({ name, namespace, ingress }: Sidecar, settings: ListenerSettings, own: OwnAddresses): readonly ServedPort[] {
  return ingress.flatMap((listener): readonly ServedPort[] => {
    const { port, bind, captureMode } = listener;
    const real = captureMode === "DEFAULT" ? settings.interception === "NONE" : captureMode === "NONE";
    if (!canBind({ bind, real }, port, settings, settings.ownPorts)) return [];
    if (real && settings.sharesHost && !standsApart(listener)) return [];
    const declared = { bind: bind || defaultBind(settings, own), real };
    return [
      {
        targetPort: port.number,
        cluster: inboundClusterName(port.number),
        declared,
        port: portOf(port),
        host: `${name}.${namespace}`,
        sidecar: { name, namespace },
      },
    ];
  });
}

/** On a shared host: has the listener a place of its own, which isn't that of the application behind it? */
function standsApart({ bind, port, defaultEndpoint }: Sidecar["ingress"][number]): boolean {
  if (bind === "") return false;
  const application = splitHostPort(defaultEndpoint);
  if (application === undefined || Number(application.port) !== port.number) return true;
  return bind !== application.host && !EVERYWHERE.has(bind) && !EVERYWHERE.has(application.host);
}

const EVERYWHERE: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** The node's first address that others can reach, else all (istio `listener_address.go` getSidecarInboundBindIPs). */
function defaultBind(settings: ListenerSettings, own: OwnAddresses): string {
  const reachable = own.map(parseAddress).find((address) => address !== undefined && isGlobalUnicast(address));
  return reachable === undefined ? wildcard(settings) : formatAddress(reachable);
}

function portOf({ number, name, protocol }: ServedPort["port"]): ServedPort["port"] {
  return { number, name, protocol };
}
