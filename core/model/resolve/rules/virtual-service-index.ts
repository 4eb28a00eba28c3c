import { memoize } from "#core/lib/memo.ts";
import type { VirtualService } from "#core/model/virtual-service.ts";
import { type EgressHosts, importsRule, isExcluded } from "../scope/egress-hosts.ts";

/** VirtualServices bound to one gateway, by who may see them; each list by age (istio `push_context.go` initVirtualServices). */
interface BoundRules {
  readonly private: ReadonlyMap<string, readonly VirtualService[]>;
  readonly exported: ReadonlyMap<string, readonly VirtualService[]>;
  readonly public: readonly VirtualService[];
}

const boundRules = memoize((rules: readonly VirtualService[]) => {
  const known = new Map<string, BoundRules>();
  return (gateway: string): BoundRules => {
    const found = known.get(gateway) ?? bind(rules, gateway);
    known.set(gateway, found);
    return found;
  };
});

function bind(rules: readonly VirtualService[], gateway: string): BoundRules {
  const own = new Map<string, VirtualService[]>();
  const exported = new Map<string, VirtualService[]>();
  const bound = rules.flatMap((rule) => bindings(rule, gateway));
  for (const rule of bound) {
    if (rule.exportTo.kind !== "namespaces") continue;
    for (const namespace of rule.exportTo.namespaces) append(namespace === rule.namespace ? own : exported, namespace, rule);
  }
  return { private: own, exported, public: bound.filter((rule) => rule.exportTo.kind === "public") };
}

/** A rule that names a gateway twice is bound to it twice, and its routes are there twice; sidecars see it once. */
function bindings(rule: VirtualService, gateway: string): readonly VirtualService[] {
  const named = rule.gateways.filter((one) => one === gateway).map(() => rule);
  return gateway === "mesh" ? named.slice(0, 1) : named;
}

function append(map: Map<string, VirtualService[]>, namespace: string, rule: VirtualService): void {
  const list = map.get(namespace) ?? [];
  map.set(namespace, list);
  list.push(rule);
}

/**
 * The VirtualServices bound to a gateway (`mesh` for sidecars) that a namespace may see, in order of precedence: its own private ones, those exported
 * to it by name, public ones; each group oldest first. Namespaces that see alike share one value.
 */
export function visibleRules(rules: readonly VirtualService[], namespace: string, gateway: string): readonly VirtualService[] {
  const bound = boundRules(rules)(gateway);
  const own = bound.private.get(namespace);
  const exported = bound.exported.get(namespace);
  return own === undefined && exported === undefined ? bound.public : [...(own ?? []), ...(exported ?? []), ...bound.public];
}

/** Those that an egress listener imports: one imported host that isn't excluded is enough (istio `model/virtualservice.go` SelectVirtualServices). */
export function importedRules(rules: readonly VirtualService[], hosts: EgressHosts): readonly VirtualService[] {
  const everywhere = hosts.byNamespace.get("*");
  const imported = rules.filter((rule) => {
    const local = hosts.byNamespace.get(rule.namespace);
    return rule.hosts.some((host) => {
      const fits = (local !== undefined && importsRule(local, host)) || (everywhere !== undefined && importsRule(everywhere, host));
      return fits && !isExcluded(hosts, rule.namespace, host);
    });
  });
  return imported.length === rules.length ? rules : imported;
}
