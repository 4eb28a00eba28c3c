import { compareText } from "#core/lib/compare.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { groupBy } from "#core/lib/group.ts";
import { memoize } from "#core/lib/memo.ts";
import type { SourceObject } from "#core/sources/object.ts";
import { diagnose, listText } from "./diagnose.ts";

type ServiceObject = SourceObject<"Service">;

/** Services that differ between clusters, though clients see one (istio `analyzers/multicluster/service.go`). */
export const checkMultiClusterServices = memoize((services: readonly ServiceObject[]): readonly Diagnostic[] => {
  // They are sorted by cluster.
  if (services[0]?.key.cluster === services.at(-1)?.key.cluster) return [];
  return [...groupBy(services, ({ key }) => `${key.namespace}/${key.name}`).values()].flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined) return [];
    const differences = [...new Set(others.flatMap((other) => compare(first, other)))];
    if (differences.length === 0) return [];
    const clusters = listText(group.map(({ key }) => key.cluster));
    const [, field = "spec"] = differences[0] ?? [];
    const message = `is not the same in the clusters ${clusters}: they differ in ${listText(differences.map(([what]) => what))}; clients see it as in ${first.key.cluster}`;
    return diagnose(first, { severity: "warning", code: "IST0170", field, message });
  });
});

type Difference = readonly [what: string, field: string];
const HEADLESS: Difference = ["being headless", "spec.clusterIP"];
const TYPE: Difference = ["their types", "spec.type"];
const PORTS: Difference = ["their ports", "spec.ports"];

function compare({ spec: a }: ServiceObject, { spec: b }: ServiceObject): readonly Difference[] {
  return [
    ...((a.clusterIP === "None") === (b.clusterIP === "None") ? [] : [HEADLESS]),
    ...((a.type || "ClusterIP") === (b.type || "ClusterIP") ? [] : [TYPE]),
    ...(portsText(a) === portsText(b) ? [] : [PORTS]),
  ];
}

/** Node ports are each cluster's own matter. */
function portsText({ ports }: ServiceObject["spec"]): string {
  const texts = ports.map(({ name, protocol, port, targetPort, appProtocol }) =>
    JSON.stringify([name, protocol || "TCP", port, targetPort ?? port, appProtocol ?? null]),
  );
  return texts.sort(compareText).join();
}
