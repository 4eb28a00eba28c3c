import { firstOfEach } from "#core/lib/first-of-each.ts";
import { interner, internerWithin } from "#core/lib/intern.ts";
import { joined } from "#core/lib/joined.ts";
import { memoize } from "#core/lib/memo.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import { present } from "#core/lib/present.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { ScopedService } from "#core/model/scope.ts";
import type { Service, ServicePort } from "#core/model/service.ts";
import type { TrafficPolicy } from "#core/model/traffic-policy.ts";
import { isDynamic } from "../clusters/service-clusters.ts";
import { outboundClusterName, outboundServerName } from "../names.ts";
import { effectivePolicy } from "../policy/effective.ts";
import { localitySetting, type MeshLocality } from "../policy/locality-setting.ts";
import type { AssignmentSpec } from "./assignment-spec.ts";

/** What load assignments read of the mesh and of the client. */
export interface EndpointSettings {
  /** Endpoints of headless services are discovered too: clients don't know where their connections were going. */
  readonly headless: boolean;
  /** Also for the names that AUTO_PASSTHROUGH servers route by (`outbound_.80_._.host`). */
  readonly serverNames: boolean;
  readonly mesh: MeshLocality;
}

const internSettings = interner<EndpointSettings>();

/** Gathers them; equal settings are one value. */
export function endpointSettings(config: MeshConfig, headless: boolean, serverNames = false): EndpointSettings {
  return internSettings({ headless, serverNames, mesh: present({ localityLb: config.localityLb, zoneAware: config.zoneAware }) });
}

/** All assignments that clusters of one service may ask for: of each port the whole, then the rule's subsets. Made once for a service seen alike. */
export const serviceSpecs = memoize((scoped: ScopedService, settings: EndpointSettings): readonly AssignmentSpec[] => {
  const { service, rule, ruleSources } = scoped;
  if (isDynamic(service)) return dynamicSpecs(scoped, settings);
  if (!isDiscovered(service, settings)) return [];
  const ports = service.ports.filter(({ protocol }) => protocol !== "UDP");
  const specs = ports.flatMap((port) =>
    ["", ...subsetNames(rule)].flatMap((subset) => clusterSpecs({ service, port, rule, ruleSources, subset }, settings)),
  );
  return firstOfEach(specs, ({ cluster }) => cluster);
});

/** Names to route by stand for hosts that are discovered, even where only the request says which; there are none then (istio buildOutboundSniDnatClusters). */
function dynamicSpecs({ service, rule, ruleSources }: ScopedService, settings: EndpointSettings): readonly AssignmentSpec[] {
  const ports = service.ports.filter(({ protocol }) => protocol !== "UDP");
  return ports.flatMap((port) => clusterSpecs({ service, port, rule, ruleSources, subset: "" }, settings).slice(1));
}

/** Endpoints come by discovery where the proxy balances itself; routers do so for headless services too (istio `core/cluster.go` convertResolution). */
function isDiscovered({ resolution }: Service, { headless }: EndpointSettings): boolean {
  return resolution === "client-side" || (resolution === "passthrough" && headless);
}

function subsetNames(rule: DestinationRule | undefined): readonly string[] {
  return rule === undefined ? [] : [...new Set(rule.subsets.map(({ name }) => name))];
}

function clusterSpecs(subject: ClusterSubject, settings: EndpointSettings): readonly AssignmentSpec[] {
  const { service, port, subset } = subject;
  const spec = assignmentSpec(subject, settings);
  if (!settings.serverNames || service.meshExternal) return [spec];
  return [spec, internSpec({ ...spec, cluster: outboundServerName(port.number, subset, service.host), mtlsOnly: true })];
}

/** One cluster of a service: its port, the rule in force and a subset of it ("" for all). */
export interface ClusterSubject {
  readonly service: Service;
  readonly port: ServicePort;
  readonly rule: DestinationRule | undefined;
  readonly ruleSources: readonly ObjectKey[];
  readonly subset: string;
}

/** What decides the assignment of one cluster, discovered by EDS. */
export function assignmentSpec({ service, port, rule, ruleSources, subset }: ClusterSubject, settings: EndpointSettings): AssignmentSpec {
  const policy = effectivePolicy(rule, port.number, subset);
  const labels = subset === "" ? undefined : rule?.subsets.find(({ name }) => name === subset)?.labels;
  const spec = present({
    cluster: outboundClusterName(port.number, subset, service.host),
    port: { name: port.name, number: port.number },
    subsetLabels: labels !== undefined && Object.keys(labels).length > 0 ? labels : undefined,
    join: service.registry === "External" ? "both" : "name",
    nodeLocal: service.nodeLocal,
    clusterLocal: service.clusterLocal,
    sendsUnhealthy: service.trafficDistribution !== "any" || (policy.outlierDetection?.minHealthPercent ?? 0) === 0,
    sendsDraining: !!service.labels["istio.io/persistent-session"],
    mtls: mtlsFor(rule, port.number, subset),
    mtlsOnly: false,
    ranksByLabels: true,
    locality: localitySetting(policy.loadBalancer, service.trafficDistribution, settings.mesh, policy.outlierDetection !== undefined),
    sources: joined(service.sources, ruleSources),
  } satisfies { [K in Exclude<keyof AssignmentSpec, "portNames">]-?: AssignmentSpec[K] | undefined });
  return internSpec(spec);
}

/** Of no object: in no mesh. */
const NOWHERE: ObjectKey = { cluster: "", kind: "", namespace: "", name: "" };

/** Equal specs are one value. */
export const internSpec = internerWithin<AssignmentSpec>({ part: ({ sources }) => sources[0] ?? NOWHERE, name: ({ cluster }) => cluster });

/** A TLS mode that the rule gives decides for all endpoints: the subset's for the port, the subset's, the rule's for the port, the rule's (`mtls_checker.go`). */
function mtlsFor(rule: DestinationRule | undefined, port: number, subset: string): AssignmentSpec["mtls"] {
  const named = subset === "" ? undefined : rule?.subsets.find(({ name }) => name === subset);
  const mode = subset !== "" && named === undefined ? undefined : (tlsModeAt(named?.policy, port) ?? tlsModeAt(rule?.policy, port));
  return mode === undefined ? "automatic" : mode === "ISTIO_MUTUAL" ? "always" : "never";
}

function tlsModeAt(policy: TrafficPolicy | undefined, port: number): string | undefined {
  const atPort = policy?.portLevelSettings.find((setting) => setting.port === port && setting.tls !== undefined);
  return (atPort?.tls ?? policy?.tls)?.mode;
}
