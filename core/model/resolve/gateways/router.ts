import { interner } from "#core/lib/intern.ts";
import { isSubset, type Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import { destinationHosts } from "#core/model/destination-hosts.ts";
import type { Gateway } from "#core/model/gateway.ts";
import type { Mesh } from "#core/model/mesh.ts";
import type { BoundRule, Router } from "#core/model/router.ts";
import type { Service } from "#core/model/service.ts";
import type { VirtualService } from "#core/model/virtual-service.ts";
import type { ServiceTarget } from "#core/model/workload.ts";
import { visibleRules } from "../rules/virtual-service-index.ts";
import { forClient } from "../scope/client-matches.ts";
import { type ServiceIndex, serviceIndex } from "../services/service-index.ts";
import { grantedSecrets } from "./granted-secrets.ts";
import { mergeGateways } from "./merge-gateways.ts";

/** Which router is asked for. */
export interface RouterClient {
  readonly namespace: string;
  /** The proxy's effective labels: selectors of Gateways and `sourceLabels` read them. */
  readonly labels: Labels;
  /** Ports of the Services in front of the router. */
  readonly targets: readonly ServiceTarget[];
}

type RouterMesh = Pick<Mesh, "gateways" | "virtualServices" | "services">;

/** What a router serves; undefined if no Gateway selects it (istio `push_context.go` mergeGateways, VirtualServicesForGateway). */
export function resolveRouter(mesh: RouterMesh, client: RouterClient): Router | undefined {
  const selected = mesh.gateways.filter(({ selector }) => isSubset(selector, client.labels));
  if (selected.length === 0) return undefined;
  const index = serviceIndex(mesh.services);
  const rules = selected.map(({ namespace, name }) => {
    const gateway = `${namespace}/${name}`;
    return [gateway, visibleRules(mesh.virtualServices, client.namespace, gateway).map((rule) => bind(rule, gateway, client, index))] as const;
  });
  return {
    namespace: client.namespace,
    ...servers(client.targets, ...selected),
    rules: new Map(rules),
    grantedSecrets: grantedSecrets(selected, client.namespace),
    from: [...selected.flatMap(({ sources }) => sources), ...client.targets.flatMap(({ service }) => service.sources)],
  };
}

const servers = memoize((targets: readonly ServiceTarget[], ...gateways: readonly Gateway[]) => mergeGateways(gateways, targets));

function bind(rule: VirtualService, gateway: string, client: RouterClient, index: ServiceIndex): BoundRule {
  const http = forClient(rule, { namespace: client.namespace, labels: client.labels, gateways: new Set([gateway]) });
  return boundRule(rule, http, index, internViewer({ namespace: client.namespace }));
}

interface Viewer {
  readonly namespace: string;
}

const internViewer = interner<Viewer>();

const boundRule = memoize((virtualService: VirtualService, http: VirtualService, index: ServiceIndex, viewer: Viewer): BoundRule => {
  const own = destinationHosts(http).flatMap((host) => {
    const service = index.byHost.get(host)?.get(virtualService.namespace);
    return service === undefined || !isVisible(service, viewer.namespace) ? [] : [[host, service] as const];
  });
  return { virtualService, http, services: new Map(own) };
});

function isVisible({ exportTo }: Service, namespace: string): boolean {
  return exportTo.kind === "public" || (exportTo.kind === "namespaces" && exportTo.namespaces.includes(namespace));
}
