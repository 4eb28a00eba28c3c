import { interner } from "#core/lib/intern.ts";
import { equalLabels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { Service } from "#core/model/service.ts";
import type { SidecarPort } from "#core/model/sidecar.ts";
import type { Destination, VirtualService } from "#core/model/virtual-service.ts";
import { isVisible } from "../export-to.ts";
import type { ServiceIndex } from "../services/service-index.ts";
import { joinPorts, withPorts } from "../services/trim-service.ts";
import { onlyPort } from "./egress-services.ts";

/** A service of a scope, with the VirtualServices that it is there for if no egress listener imports it. */
export interface ImportedService {
  readonly service: Service;
  readonly importedBy: readonly ObjectKey[];
}

export interface ImportingListener {
  /** See {@link EgressQuery}. */
  readonly port?: SidecarPort;
  readonly services: readonly Service[];
  readonly virtualServices: readonly VirtualService[];
}

/** Of a service that listeners import themselves. */
export const NOBODY: readonly ObjectKey[] = [];
const internKeys = interner<readonly ObjectKey[]>();

/**
 * The services that a scope's clusters are made of: what the egress listeners import, listener by listener, each followed by the destinations of the
 * listener's VirtualServices. A host comes once (istio `model/sidecar.go` collectImportedServices).
 */
export function importedServices(index: ServiceIndex, namespace: string, listeners: readonly ImportingListener[]): readonly ImportedService[] {
  const found = new Map<string, ImportedService>();
  for (const listener of listeners) {
    for (const service of listener.services) add(found, { service, importedBy: NOBODY });
    for (const rule of listener.virtualServices) for (const target of targetsOf(index, namespace, rule, listener.port)) add(found, target);
  }
  return [...found.values()];
}

/** What a VirtualService sends to, with the ports that it names, or the listener's one. */
function targetsOf(index: ServiceIndex, namespace: string, rule: VirtualService, port: SidecarPort | undefined): readonly ImportedService[] {
  return [...destinationsOf(rule)(namespace)].flatMap(([host, ports]) => {
    const target = findTarget(index, host, namespace);
    const service = target && (port === undefined ? trim(target, ports) : onlyPort(target, port.number));
    return service === undefined ? [] : [{ service, importedBy: rule.sources }];
  });
}

/** Destinations without a port want all of them. */
function trim(service: Service, ports: ReadonlySet<number>): Service | undefined {
  return ports.has(0) ? service : withPorts(service, (port) => ports.has(port.number));
}

/** In the client's namespace, even if hidden there; else any visible Kubernetes Service, else the oldest entry (istio pickBestVisibleNamespace). */
function findTarget(index: ServiceIndex, host: string, namespace: string): Service | undefined {
  const owners = index.byHost.get(host);
  const own = owners?.get(namespace);
  if (owners === undefined || own !== undefined) return own;
  const visible = [...owners.values()].filter((service) => isVisible(service.exportTo, namespace));
  const age = (service: Service) => index.position.get(service) ?? 0;
  return visible.find((service) => service.registry === "Kubernetes") ?? visible.sort((a, b) => age(a) - age(b))[0];
}

/** The first one of a host stays, unless a Kubernetes Service comes after something else; ports are joined where both are of one kind. */
function add(found: Map<string, ImportedService>, incoming: ImportedService): void {
  const existing = found.get(incoming.service.host);
  if (existing === undefined) {
    found.set(incoming.service.host, incoming);
    return;
  }
  const [before, service] = [existing.service, incoming.service];
  if (before === service) return;
  if (before.registry !== service.registry) {
    if (service.registry === "Kubernetes") found.set(service.host, incoming);
    return;
  }
  if (!canMerge(before, service)) return;
  const joined = joinPorts(before, service);
  if (joined !== before) found.set(service.host, { service: joined, importedBy: joinKeys(existing.importedBy, incoming.importedBy) });
}

function canMerge(a: Service, b: Service): boolean {
  return (
    a.namespace === b.namespace &&
    a.resolution === b.resolution &&
    equalLabels(a.labels, b.labels) &&
    equalLabels(a.selector, b.selector) &&
    (a.declaredExportTo ?? []).join() === (b.declaredExportTo ?? []).join()
  );
}

function joinKeys(a: readonly ObjectKey[], b: readonly ObjectKey[]): readonly ObjectKey[] {
  const added = b.filter((key) => !a.includes(key));
  return added.length === 0 ? a : internKeys([...a, ...added]);
}

/** Hosts that a VirtualService sends to, with their ports (0: not given); HTTP routes only for other namespaces don't count. */
const destinationsOf = memoize((rule: VirtualService) => {
  const known = new Map<string, ReadonlyMap<string, ReadonlySet<number>>>();
  const namespaced = rule.http.some((route) => route.match.some((match) => match.sourceNamespace !== ""));
  return (client: string): ReadonlyMap<string, ReadonlySet<number>> => {
    const key = namespaced ? client : "";
    const found = known.get(key) ?? collectDestinations(rule, client);
    known.set(key, found);
    return found;
  };
});

function collectDestinations(rule: VirtualService, client: string): ReadonlyMap<string, ReadonlySet<number>> {
  const ports = new Map<string, Set<number>>();
  const note = (destination: Destination | undefined) => {
    if (destination !== undefined) ports.set(destination.host, (ports.get(destination.host) ?? new Set<number>()).add(destination.port));
  };
  for (const route of rule.http) {
    if (!isForNamespace(route.match, client)) continue;
    for (const { destination } of [...route.route, ...route.mirrors]) note(destination);
  }
  for (const route of [...rule.tcp, ...rule.tls]) for (const { destination } of route.route) note(destination);
  return ports;
}

/** The last match with a namespace decides, unless one fits: matches without a namespace don't speak (istio virtualServiceDestinationsFilteredBySourceNamespace). */
function isForNamespace(matches: readonly { readonly sourceNamespace: string }[], client: string): boolean {
  const named = matches.filter((match) => match.sourceNamespace !== "");
  return named.length === 0 || named.some((match) => match.sourceNamespace === client);
}
