import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { groupBy } from "#core/lib/group.ts";
import { isSelected, isSubset, type Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { entryPath } from "#core/sources/validate/findings.ts";
import { diagnose, selectorText } from "./diagnose.ts";
import type { KnownWorkload, Workloads } from "./workloads.ts";

type GatewayObject = SourceObject<"Gateway">;
type ServiceObject = SourceObject<"Service">;

/** Gateways that select no workload, and ports that no Service in front of their workloads has (istio `analyzers/gateway/gateway.go`). */
export const checkGatewayWorkloads = memoize(
  (gateways: readonly GatewayObject[], services: readonly ServiceObject[], workloads: Workloads): readonly Diagnostic[] => {
    if (workloads.unknown || gateways.length === 0) return [];
    const inFront = servicesInFront(services);
    return gateways.flatMap((gateway) => {
      const { selector } = gateway.spec;
      const selected = workloads.find(selector);
      if (selected.length > 0) return unreachable(gateway, selected.flatMap(inFront));
      return isSubset(selector, DEFAULT_ROUTER) ? [] : unselected(gateway);
    });
  },
);

/** Istio's own router is taken to be there, though the files at hand may not have it (istio `analysis/local` AddDefaultResources). */
const DEFAULT_ROUTER: Labels = { istio: "ingressgateway" };

function unselected(gateway: GatewayObject): readonly Diagnostic[] {
  const { selector } = gateway.spec;
  const [first] = Object.keys(selector).sort();
  const field = first === undefined ? "spec.selector" : entryPath("spec.selector", first);
  const message = `selects the workloads with ${selectorText(selector)}, but there are none: nothing serves this Gateway; correct the labels`;
  return diagnose(gateway, { severity: "error", code: "IST0101", field, message });
}

/** The Services that send to a workload. */
function servicesInFront(services: readonly ServiceObject[]): (workload: KnownWorkload) => readonly ServiceObject[] {
  const byPlace = groupBy(services, ({ key }) => `${key.cluster}/${key.namespace}`);
  return ({ cluster, namespace, labels }) =>
    (byPlace.get(`${cluster}/${namespace}`) ?? []).filter(({ spec }) => spec.type !== "ExternalName" && isSelected(spec.selector, labels));
}

function unreachable(gateway: GatewayObject, services: readonly ServiceObject[]): readonly Diagnostic[] {
  const open = new Set(services.flatMap(({ spec }) => spec.ports.filter(({ protocol }) => protocol === "TCP" || protocol === "").flatMap(portsOf)));
  return gateway.spec.servers.flatMap(({ port }, index) => {
    if (port === undefined || open.has(port.number)) return [];
    const names = [...new Set(services.map(({ key }) => `${key.namespace}/${key.name}`))].sort();
    const front = names.length === 0 ? "no Service sends to its workloads" : `no Service of its workloads (${names.join(", ")}) has that port`;
    const message = `listens on port ${port.number}, but ${front}: it can't be reached through one`;
    return diagnose(gateway, { severity: "warning", code: "IST0162", field: `spec.servers[${index}].port.number`, message });
  });
}

/** A server's port is the Service's or, where that sends to another one by number, also that of the workload. */
function portsOf({ port, targetPort }: ServiceObject["spec"]["ports"][number]): readonly number[] {
  const target = Number(targetPort ?? 0);
  return Number.isInteger(target) && target > 0 ? [port, target] : [port];
}
