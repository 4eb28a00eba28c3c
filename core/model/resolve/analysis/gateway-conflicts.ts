import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { groupBy } from "#core/lib/group.ts";
import { equalLabels, type Labels } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import type { Server } from "#proto/networking/v1alpha3/gateway_pb.js";
import { diagnose, listText, localName, selectorText } from "./diagnose.ts";
import type { Workloads } from "./workloads.ts";

type GatewayObject = SourceObject<"Gateway">;

interface Place {
  readonly gateway: GatewayObject;
  readonly server: Server;
}

/**
 * Servers of different Gateways that have the same host on one port and address of the same workloads: which one counts depends on age
 * (istio `analyzers/gateway/conflictinggateway.go`).
 */
export const checkGatewayConflicts = memoize((gateways: readonly GatewayObject[], workloads: Workloads): readonly Diagnostic[] => {
  const byPort = groupBy(
    gateways.flatMap((gateway) => gateway.spec.servers.map((server): Place => ({ gateway, server }))),
    ({ server }) => server.port?.number ?? 0,
  );
  return gateways.flatMap((gateway) =>
    gateway.spec.servers.flatMap((server, index) => {
      const rivals = (byPort.get(server.port?.number ?? 0) ?? []).filter((other) => conflicts({ gateway, server }, other, workloads));
      return rivals.length === 0 ? [] : conflict({ gateway, server }, `spec.servers[${index}].hosts`, rivals);
    }),
  );
});

function conflicts({ gateway, server }: Place, other: Place, workloads: Workloads): boolean {
  if (other.gateway === gateway || other.server.bind !== server.bind) return false;
  if (!server.hosts.some((host) => other.server.hosts.includes(host))) return false;
  return shareWorkloads(gateway.spec.selector, other.gateway.spec.selector, workloads);
}

function shareWorkloads(a: Labels, b: Labels, workloads: Workloads): boolean {
  return equalLabels(a, b) || (agree(a, b) && workloads.has({ ...a, ...b }));
}

function agree(a: Labels, b: Labels): boolean {
  return Object.keys(a).every((key) => b[key] === undefined || b[key] === a[key]);
}

function conflict({ gateway, server }: Place, field: string, rivals: readonly Place[]): readonly Diagnostic[] {
  const names = [...new Set(rivals.map((rival) => localName(rival.gateway)))].sort();
  const hosts = server.hosts.filter((host) => rivals.some((rival) => rival.server.hosts.includes(host)));
  const message =
    `port ${server.port?.number ?? 0} has ${hosts.join(", ")} also in Gateway ${listText(names)}, for the same workloads ` +
    `(${selectorText(gateway.spec.selector)}): give each host to one Gateway`;
  return diagnose(gateway, { severity: "error", code: "IST0145", field, message });
}
