import type { ObjectKey } from "#core/lib/object-key.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { Endpoint, EndpointPort, NetworkGateway, ServiceEndpoints, WorkloadFacts } from "#core/model/endpoint.ts";
import { resolveMeshConfig } from "#core/model/resolve/config/mesh-config.ts";
import { workloadTraits } from "#core/model/resolve/registry/workload-traits.ts";
import type { Service } from "#core/model/service.ts";
import type { Vantage } from "#core/node/vantage.ts";
import type { AssignmentSpec } from "#core/translate/endpoints/assignment-spec.ts";
import { endpointSettings, serviceSpecs } from "#core/translate/endpoints/specs.ts";
import { loadAssignment } from "#core/translate/endpoints.ts";
import type { LbEndpoint } from "#proto/envoy/config/endpoint/v3/endpoint_components_pb.js";
import { type ClusterLoadAssignment, ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";
import { decodeResource } from "#test/support/decode-resource.ts";
import { scoped, service } from "#test/support/scope.ts";

export const HOST = "web.shop.svc.cluster.local";
export const HERE: Vantage = { cluster: "Kubernetes", network: "", families: "v4" };

const WORKLOAD: Omit<WorkloadFacts, "traits"> = {
  labels: {},
  serviceAccount: "",
  tlsMode: "istio",
  workloadName: "web",
  namespace: "shop",
  cluster: "Kubernetes",
  network: "",
  locality: "",
  nodeName: "",
  hostName: "",
  subdomain: "",
  sources: [],
};

type EndpointFields = Partial<Omit<Endpoint, "workload" | "port" | "mtls"> & WorkloadFacts & Omit<EndpointPort, "number">> & {
  readonly port?: number;
  readonly mtlsAllowed?: boolean;
  readonly mtlsSources?: readonly ObjectKey[];
};

/** With fields of its own, of its port and of its workload. */
export function endpoint(address: string, fields: EndpointFields = {}): Endpoint {
  const { port, servicePortName, servicePort, health, mtlsAllowed, weight, listedBy, mtlsSources, ...workload } = fields;
  const facts = { ...WORKLOAD, ...workload };
  return {
    workload: { ...facts, traits: workloadTraits(facts.labels) },
    address,
    port: {
      number: port ?? 8080,
      servicePortName: servicePortName ?? "http-80",
      servicePort: servicePort ?? 0,
      listedBy: listedBy ?? { cluster: "Kubernetes", kind: "EndpointSlice", namespace: "shop", name: "web-1" },
    },
    health: health ?? "healthy",
    weight: weight ?? 0,
    mtls: { allowed: mtlsAllowed ?? true, sources: mtlsSources ?? [] },
  };
}

export function serviceEndpoints(endpoints: readonly Endpoint[]): ServiceEndpoints {
  return { host: HOST, namespace: "shop", endpoints, sources: [] };
}

export interface Situation {
  readonly service?: Partial<Service>;
  readonly rule?: DestinationRule;
  readonly meshConfig?: unknown;
  readonly headless?: boolean;
  readonly serverNames?: boolean;
}

/** The specs of one service, by cluster name. */
export function specsOf({
  service: fields,
  rule,
  meshConfig = {},
  headless = false,
  serverNames = false,
}: Situation = {}): Readonly<Record<string, AssignmentSpec>> {
  const settings = endpointSettings(resolveMeshConfig(meshConfig).config, headless, serverNames);
  return Object.fromEntries(serviceSpecs(scoped(service(HOST, fields), rule), settings).map((spec) => [spec.cluster, spec]));
}

export const WHOLE = `outbound|80||${HOST}`;

/** The spec of the service's port 80, with other fields. */
export function specOf(situation: Situation = {}, fields: Partial<AssignmentSpec> = {}): AssignmentSpec {
  const spec = specsOf(situation)[WHOLE];
  if (spec === undefined) throw new Error(`no spec ${WHOLE}`);
  return { ...spec, ...fields };
}

export function assign(
  spec: AssignmentSpec,
  endpoints: readonly Endpoint[],
  vantage: Vantage = HERE,
  networkGateways: readonly NetworkGateway[] = [],
): ClusterLoadAssignment {
  return decodeResource(ClusterLoadAssignmentSchema, loadAssignment(spec, serviceEndpoints(endpoints), { vantage, networkGateways }));
}

export function addressOf({ hostIdentifier }: LbEndpoint): string {
  const address = hostIdentifier.case === "endpoint" ? hostIdentifier.value.address?.address : undefined;
  return address?.case === "socketAddress" ? address.value.address : address?.case === "pipe" ? address.value.path : "";
}

/** The addresses that are sent, in order. */
export function addressesOf({ endpoints }: ClusterLoadAssignment): readonly string[] {
  return endpoints.flatMap(({ lbEndpoints }) => lbEndpoints.map(addressOf));
}

/** One line per group: `locality priority weight: address*weight …`; a weight of 1 is not said of addresses. */
export function groupsOf({ endpoints }: ClusterLoadAssignment): readonly string[] {
  return endpoints.map(({ locality, priority, loadBalancingWeight, lbEndpoints }) => {
    const members = lbEndpoints.map((one) => `${addressOf(one)}${one.loadBalancingWeight === 1 ? "" : `*${one.loadBalancingWeight}`}`);
    const place = [locality?.region, locality?.zone, locality?.subZone].filter((part) => part !== "").join("/");
    return `${place} ${priority} ${loadBalancingWeight ?? "none"}: ${members.join(" ")}`.trim();
  });
}

/** Which addresses take Istio's mutual TLS. */
export function marked({ endpoints }: ClusterLoadAssignment): readonly string[] {
  const all = endpoints.flatMap(({ lbEndpoints }) => lbEndpoints);
  return all.filter(({ metadata }) => metadata?.filterMetadata["envoy.transport_socket_match"]?.tlsMode === "istio").map(addressOf);
}
