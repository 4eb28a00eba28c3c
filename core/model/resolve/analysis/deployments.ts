import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { groupBy } from "#core/lib/group.ts";
import { isSelected } from "#core/lib/labels.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { diagnose, listText, localName } from "./diagnose.ts";
import { checkUser } from "./proxy-user.ts";

type DeploymentObject = SourceObject<"Deployment">;
type ServiceObject = SourceObject<"Service">;
type Port = ServiceObject["spec"]["ports"][number];

/** Deployments with sidecars whose Services contradict each other (istio `analyzers/deployment/services.go`), and their users. */
export const checkDeployments = memoize(
  (deployments: readonly DeploymentObject[], services: readonly ServiceObject[], injected: ReadonlySet<string>): readonly Diagnostic[] => {
    if (deployments.length === 0) return [];
    const byPlace = groupBy(services, ({ key }) => `${key.cluster}/${key.namespace}`);
    return deployments.flatMap((deployment) => {
      const { key, spec } = deployment;
      const user = checkUser(deployment);
      if (!isInMesh(deployment, injected)) return user;
      const own = (byPlace.get(`${key.cluster}/${key.namespace}`) ?? []).filter((one) => isSelected(one.spec.selector, spec.template.labels));
      return [...user, ...checkProtocols(deployment, own), ...checkTargets(deployment, own)];
    });
  },
);

const INJECT = "sidecar.istio.io/inject";

/** A proxy in the template, else what the template says, else the namespace (istio `analyzers/util/in_mesh.go`). Waypoints serve what others select. */
function isInMesh({ key, labels, spec }: DeploymentObject, injected: ReadonlySet<string>): boolean {
  if (labels["gateway.istio.io/managed"] === "istio.io-mesh-controller") return false;
  const { template } = spec;
  if (template.containers.includes("istio-proxy")) return true;
  const asked = template.labels[INJECT] ?? template.annotations[INJECT];
  return asked === undefined ? injected.has(`${key.cluster}/${key.namespace}`) : asked === "true";
}

interface ServedPort {
  readonly service: ServiceObject;
  readonly port: Port;
}

function portsOf(services: readonly ServiceObject[]): readonly ServedPort[] {
  return services.flatMap((service) => service.spec.ports.map((port) => ({ service, port })));
}

/** One number for two transports. */
function checkProtocols(deployment: DeploymentObject, services: readonly ServiceObject[]): readonly Diagnostic[] {
  return [...groupBy(portsOf(services), ({ port }) => port.port)].flatMap(([number, group]) => {
    const protocols = new Set(group.map(({ port }) => port.protocol || "TCP"));
    if (protocols.size < 2) return [];
    const message = `belongs to Services (${namesOf(group)}) that use port ${number} with the different protocols ${listText([...protocols].sort())}: use one`;
    return diagnose(deployment, { severity: "warning", code: "IST0116", field: "spec.template.metadata.labels", message });
  });
}

/** One port of the workload under two numbers. */
function checkTargets(deployment: DeploymentObject, services: readonly ServiceObject[]): readonly Diagnostic[] {
  return [...groupBy(portsOf(services), ({ port }) => String(port.targetPort || port.port))].flatMap(([target, group]) => {
    const numbers = [...new Set(group.map(({ port }) => port.port))].sort((a, b) => a - b);
    if (numbers.length < 2) return [];
    const message =
      `belongs to Services (${namesOf(group)}) that reach its port ${target} under the different numbers ${numbers.join(", ")}: ` +
      "an inbound proxy knows it under one; give them the same";
    return diagnose(deployment, { severity: "warning", code: "IST0137", field: "spec.template.metadata.labels", message });
  });
}

function namesOf(group: readonly ServedPort[]): string {
  return [...new Set(group.map(({ service }) => localName(service)))].sort().join(", ");
}
