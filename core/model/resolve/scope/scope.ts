import { keyed } from "#core/lib/keyed.ts";
import type { Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { Mesh } from "#core/model/mesh.ts";
import type { EgressListener, Scope } from "#core/model/scope.ts";
import type { Service } from "#core/model/service.ts";
import type { Sidecar } from "#core/model/sidecar.ts";
import { chooseSidecar } from "../rules/sidecars.ts";
import { type ServiceIndex, serviceIndex, visibleServices } from "../services/service-index.ts";
import { allForClient, clientVerdicts, type RouteClient } from "./client-matches.ts";
import { type ImportedService, importedServices, NOBODY } from "./imported-services.ts";
import { type ScopeListener, scopeListeners } from "./scope-listeners.ts";
import { ruleVerdicts, scopedServices } from "./scoped-services.ts";

/** Whose scope is wanted. */
export interface ScopeClient {
  readonly namespace: string;
  /** In force for the client, see {@link selectSidecar}. */
  readonly sidecar?: Sidecar;
  /** The proxy's effective labels, topology included. */
  readonly labels: Labels;
}

/** The Sidecar object in force for a workload, if any. */
export function selectSidecar(mesh: Pick<Mesh, "sidecars" | "config">, namespace: string, labels: Labels): Sidecar | undefined {
  return chooseSidecar(mesh.sidecars, mesh.config.rootNamespace, { namespace, labels });
}

type ScopedMesh = Pick<Mesh, "services" | "virtualServices" | "destinationRules" | "peerAuthentications" | "facts" | "config">;

const MESH_GATEWAY: ReadonlySet<string> = new Set(["mesh"]);

/**
 * What a sidecar with these properties sees of the mesh (istio `model/sidecar.go` convertToSidecarScope), its VirtualServices reduced to what can fit.
 * Equal clients of an unchanged mesh get the same value, and parts that a change doesn't touch keep their identity.
 */
export function resolveScope(mesh: ScopedMesh, client: ScopeClient): Scope {
  const listeners = scopeListeners(mesh, client.sidecar, client.namespace);
  const routeClient: RouteClient = { namespace: client.namespace, labels: client.labels, gateways: MESH_GATEWAY };
  const verdicts = listeners.map(({ virtualServices }) => clientVerdicts(virtualServices, routeClient)).join(" ");
  const key = `${client.namespace} ${ruleVerdicts(mesh.destinationRules, client)} ${verdicts}`;
  return scopesOf(mesh, client.sidecar)(key, () => makeScope(mesh, client, listeners));
}

function scopesOf(mesh: ScopedMesh, sidecar: Sidecar | undefined): (key: string, make: () => Scope) => Scope {
  return scopesByParts(mesh.services, mesh.virtualServices, mesh.destinationRules, mesh.peerAuthentications, mesh.facts, mesh.config, sidecar);
}

const scopesByParts = memoize((..._parts: readonly (object | undefined)[]) => keyed<Scope>());

function makeScope(mesh: ScopedMesh, client: ScopeClient, listeners: readonly ScopeListener[]): Scope {
  const view = { mesh, namespace: client.namespace, labels: client.labels };
  const routeClient: RouteClient = { namespace: client.namespace, labels: client.labels, gateways: MESH_GATEWAY };
  const index = serviceIndex(mesh.services);
  const imported = allImported(index, client, listeners);
  const source = client.sidecar?.sources[0];
  return {
    namespace: client.namespace,
    ...(source === undefined ? {} : { sidecar: source }),
    egress: listeners.map(
      ({ spec, services, virtualServices }): EgressListener => ({
        ...(spec?.port === undefined ? {} : { port: spec.port }),
        bind: spec?.bind ?? "",
        captureMode: spec?.captureMode ?? "DEFAULT",
        services: scopedServices(explicitly(services), view),
        virtualServices: allForClient(virtualServices, routeClient),
      }),
    ),
    services: scopedServices(imported, view),
    outboundPolicy: client.sidecar?.outboundTrafficPolicy ?? { mode: mesh.config.outboundTrafficPolicy },
  };
}

const explicitly = memoize((services: readonly Service[]): readonly ImportedService[] =>
  services.map((service) => ({ service, importedBy: NOBODY })),
);

/**
 * The services of all listeners and of what their VirtualServices send to. Where everything that anybody may see is imported, and the namespace is none that
 * sees differently, rules have nothing to add.
 */
function allImported(index: ServiceIndex, client: ScopeClient, listeners: readonly ScopeListener[]): readonly ImportedService[] {
  const [first, ...others] = listeners;
  if (first !== undefined && first.spec === undefined && others.length === 0 && !index.special.has(client.namespace))
    return oneOfEach(first.services);
  return keepIdentity(index, client, importedServices(index, client.namespace, listeners));
}

/** A host with several addresses is several services in listeners, but one in clusters. */
const oneOfEach = memoize((services: readonly Service[]): readonly ImportedService[] => {
  return importedServices(serviceIndex(services), "", [{ services, virtualServices: [] }]);
});

/** The list as it was if nothing in it changed: a VirtualService seldom changes what is imported. */
function keepIdentity(index: ServiceIndex, client: ScopeClient, next: readonly ImportedService[]): readonly ImportedService[] {
  const last = lastImports(index, client.sidecar)(client.namespace, () => ({ list: next }));
  const same =
    last.list.length === next.length &&
    last.list.every((entry, at) => entry.service === next[at]?.service && entry.importedBy === next[at]?.importedBy);
  if (!same) last.list = next;
  return last.list;
}

const lastImports = memoize((_index: ServiceIndex, _sidecar: Sidecar | undefined) => keyed<{ list: readonly ImportedService[] }>());

/**
 * What a router of a namespace sees: everything visible, a host once, nothing for VirtualServices' sake (istio DefaultSidecarScopeForGateway).
 * Its listeners come from Gateways, so it has none here.
 */
export function resolveRouterScope(mesh: ScopedMesh, client: Omit<ScopeClient, "sidecar">): Scope {
  const key = `${client.namespace} ${ruleVerdicts(mesh.destinationRules, client)}`;
  return routerScopesByParts(
    mesh.services,
    mesh.destinationRules,
    mesh.peerAuthentications,
    mesh.facts,
    mesh.config,
  )(key, () => {
    const index = serviceIndex(mesh.services);
    const listener = { services: visibleServices(index, client.namespace), virtualServices: [] };
    const services = scopedServices(importedServices(index, client.namespace, [listener]), { mesh, ...client });
    return { namespace: client.namespace, egress: [], services, outboundPolicy: { mode: mesh.config.outboundTrafficPolicy } };
  });
}

const routerScopesByParts = memoize((..._parts: readonly object[]) => keyed<Scope>());
