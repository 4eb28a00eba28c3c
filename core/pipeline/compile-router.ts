import type { Resource } from "#core/edition/resource.ts";
import { resolveRouter } from "#core/model/resolve/gateways/router.ts";
import type { ResolvedMesh } from "#core/model/resolve/mesh.ts";
import type { Workload } from "#core/model/workload.ts";
import type { WorkloadPlacement } from "#core/node/placement.ts";
import { ruleCredentials } from "#core/translate/clusters/rule-credentials.ts";
import { gatewayFrame } from "#core/translate/frames/frame.ts";
import { routerListeners } from "#core/translate/gateway/listeners.ts";
import { routerRoutes } from "#core/translate/gateway/routes.ts";
import { gatewaySettings } from "#core/translate/gateway/settings.ts";
import { listenerLiterals } from "#core/translate/literals.ts";
import type { ScopeContext } from "./scope-context.ts";
import { NOTHING_GRANTED, secretsFor } from "./secrets-for.ts";
import { proxyConfigOf } from "./views.ts";

/** The layer of a router's workload: listeners and routes of the Gateways that select it, and the secrets that these name. */
export function compileRouter(mesh: ResolvedMesh, placement: WorkloadPlacement, workload: Workload, context: ScopeContext): readonly Resource[] {
  const { scope: place } = placement;
  const { scope, routes: settings } = context;
  const router = resolveRouter(mesh, { namespace: place.namespace, labels: place.labels, targets: workload.targets });
  if (router === undefined) return secretsFor(mesh, ruleCredentials(scope.services, context.clusters), { ...place, granted: NOTHING_GRANTED });
  const proxyConfig = proxyConfigOf(mesh, place);
  const listeners = routerListeners(
    {
      router,
      scope,
      settings: gatewaySettings(mesh.config, { ...place, proxyConfig }),
      frame: gatewayFrame(mesh.config, proxyConfig, place, mesh.networkRanges),
    },
    listenerLiterals(place, placement.literals),
  );
  const tables = [...new Set(listeners.flatMap(({ needs }) => needs.routes))].sort();
  const named = listeners.flatMap(({ needs, from }) => needs.secrets.map((name) => ({ name, from })));
  return [
    ...listeners,
    ...tables.map((name) => routerRoutes(name, { router, scope, settings })),
    ...secretsFor(mesh, [...named, ...ruleCredentials(scope.services, context.clusters)], { ...place, granted: router.grantedSecrets }),
  ];
}
