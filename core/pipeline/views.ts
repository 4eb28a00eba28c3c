import { isSubset } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { Gateway } from "#core/model/gateway.ts";
import type { ProxyConfig } from "#core/model/proxy-config.ts";
import { resolveProxyConfig } from "#core/model/resolve/config/proxy-config.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import { resolveRouterScope, resolveScope } from "#core/model/resolve/scope/scope.ts";
import type { Scope } from "#core/model/scope.ts";
import type { Sidecar } from "#core/model/sidecar.ts";
import type { ScopePlacement } from "#core/node/placement.ts";

/** The part of the mesh that nodes of a placement see. */
export function scopeOf(mesh: ResolvedMesh, placement: ScopePlacement): Scope {
  const { namespace, labels } = placement;
  if (placement.type === "router") return resolveRouterScope(mesh, { namespace, labels });
  const sidecar = sidecarOf(mesh, placement);
  return resolveScope(mesh, { namespace, labels, ...(sidecar && { sidecar }) });
}

/** The Sidecar object that placement chose. */
export function sidecarOf(mesh: ResolvedMesh, { sidecar }: ScopePlacement): Sidecar | undefined {
  return sidecar === undefined ? undefined : sidecarsById(mesh.sidecars).get(sidecar);
}

const sidecarsById = memoize((sidecars: readonly Sidecar[]) => new Map(sidecars.map((one) => [`${one.namespace}/${one.name}`, one])));

/** In force for a node: its own, which replaces the mesh's default entirely, else that. One that can't be read counts as absent. */
export function proxyConfigOf(mesh: ResolvedMesh, { proxyConfig }: ScopePlacement): ProxyConfig {
  return (proxyConfig && resolveProxyConfig(proxyConfig)) ?? mesh.config.defaultConfig;
}

/** Gateways of a router that pass TLS on by the server names of the mesh: then it knows the services by these names too. */
export function passingGateways(mesh: ResolvedMesh, { type, labels }: ScopePlacement): readonly Gateway[] {
  if (type !== "router") return NO_GATEWAYS;
  const selected = mesh.gateways.filter(({ selector }) => isSubset(selector, labels));
  return selected.filter(({ servers }) => servers.some(({ tls }) => tls?.mode === "AUTO_PASSTHROUGH"));
}

const NO_GATEWAYS: readonly Gateway[] = [];
