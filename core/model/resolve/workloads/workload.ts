import { compareText } from "#core/lib/compare.ts";
import { memoize } from "#core/lib/memo.ts";
import type { AddressTarget } from "#core/node/directory.ts";
import type { Scope, ScopedService } from "../../scope.ts";
import type { Service } from "../../service.ts";
import type { ServiceTarget, Workload } from "../../workload.ts";
import type { ResolvedMesh } from "../mesh.ts";
import { chooseRule, rulesFor, sourcesOfRules } from "../rules/find-rule.ts";
import { type KubeTarget, kubeTargets, sliceTarget } from "./kube-targets.ts";
import { peerModes } from "./peer-mode.ts";
import type { WorkloadClient } from "./workload-client.ts";

/**
 * What decides the inbound side of a workload: the service ports that it serves, oldest service first (istio `model/context.go` SetServiceTargets), and what
 * PeerAuthentication asks of its clients. `scope` is what the workload sees: only services in it have a rule.
 */
export function resolveWorkload(mesh: ResolvedMesh, client: WorkloadClient, scope: Scope): Workload {
  const kube = kubeTargets(mesh, client);
  const found = [...kube.targets, ...client.targets.flatMap((target) => addressTarget(target, mesh, client.cluster))];
  const targets = found.sort((a, b) => a.created - b.created || compareText(a.service.host, b.service.host));
  return {
    namespace: client.namespace,
    targets: targets.map((target) => withRule(target, mesh, client.namespace, scope)),
    sources: kube.sources,
    ...(client.sidecar && { sidecar: client.sidecar }),
    mtls: peerModes(mesh.peerAuthentications, mesh.config.rootNamespace)({ namespace: client.namespace, labels: client.policyLabels }),
  };
}

/** A service port found by address: of the ServiceEntry that claims the address for it, or of the Service of the node's own cluster. */
function addressTarget(target: AddressTarget, mesh: ResolvedMesh, cluster: string): readonly KubeTarget[] {
  if (target.registry === "Kubernetes") return sliceTarget(target, mesh, cluster);
  for (const service of mesh.records.byKey.get(target.service) ?? []) {
    const says = service.registry === "External" && service.objectName === target.entry;
    const port = says ? service.ports.find(({ number }) => number === target.port) : undefined;
    if (port !== undefined) return [{ service, port, targetPort: target.targetPort, created: mesh.records.ageOf(service) }];
  }
  return [];
}

function withRule({ service, port, targetPort }: KubeTarget, mesh: ResolvedMesh, namespace: string, scope: Scope): ServiceTarget {
  return { service, port, targetPort, ...inboundRule(service, mesh, namespace, scope) };
}

/** The rule without selector that the workload would use for the service itself, if it sees it at all (istio `SidecarScope.DestinationRule`). */
function inboundRule({ host }: Service, mesh: ResolvedMesh, namespace: string, scope: Scope): Pick<ServiceTarget, "rule" | "ruleSources"> {
  const seen = servicesByHost(scope.services).get(host);
  if (seen === undefined) return UNSEEN;
  const { rules, weighed } = rulesFor(mesh.destinationRules, { client: namespace, service: seen, root: mesh.config.rootNamespace });
  const rule = chooseRule(rules, namespace);
  return { ...(rule && { rule }), ruleSources: sourcesOfRules(...weighed) };
}

const UNSEEN: Pick<ServiceTarget, "ruleSources"> = { ruleSources: [] };

const servicesByHost = memoize((services: readonly ScopedService[]) => new Map(services.map(({ service }) => [service.host, service])));
