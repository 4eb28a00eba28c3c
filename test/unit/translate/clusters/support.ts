import type { Resource } from "#core/edition/resource.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import { resolveMeshConfig } from "#core/model/resolve/config/mesh-config.ts";
import type { Scope, ScopedService } from "#core/model/scope.ts";
import type { Service } from "#core/model/service.ts";
import type { ClientTls, TrafficPolicy } from "#core/model/traffic-policy.ts";
import { proxyFeatures } from "#core/node/features.ts";
import { readMetadata } from "#core/node/metadata.ts";
import { type ClusterSettings, clusterSettings } from "#core/translate/clusters/settings.ts";
import { outboundClusters } from "#core/translate/clusters.ts";
import { type Cluster, ClusterSchema } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { decodeResource } from "#test/support/decode-resource.ts";
import { destinationRule, scoped, scopeOf, service } from "#test/support/scope.ts";

export interface Client {
  readonly type?: "sidecar" | "router";
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly addresses?: readonly string[];
}

/** Settings of a mesh config as users write it, for a proxy with this metadata. */
export function settings(meshConfig: unknown = {}, { type = "sidecar", metadata = {}, addresses = ["10.0.0.1"] }: Client = {}): ClusterSettings {
  const { config } = resolveMeshConfig(meshConfig);
  const features = proxyFeatures(readMetadata(metadata), addresses, "istio-proxy");
  return clusterSettings(config, { type, dialect: "istio-proxy", features, proxyConfig: config.defaultConfig });
}

export function decode(resources: readonly Resource[]): Readonly<Record<string, Cluster>> {
  return Object.fromEntries(resources.map((resource) => [resource.name, decodeResource(ClusterSchema, resource)]));
}

export const HOST = "web.shop.svc.cluster.local";
export const WHOLE = `outbound|80||${HOST}`;

/** All outbound clusters of a scope with one service. */
export function clustersOf(one: ScopedService, with_: ClusterSettings = settings(), scope: Partial<Scope> = {}): Readonly<Record<string, Cluster>> {
  return decode(outboundClusters({ ...scopeOf([one]), ...scope }, with_));
}

/** The cluster of a plain HTTP service under a rule. */
export function clusterUnder(policy: Partial<TrafficPolicy>, with_: ClusterSettings = settings(), fields: Partial<Service> = {}): Cluster {
  const cluster = clustersOf(scoped(service(HOST, fields), ruleWith(policy)), with_)[WHOLE];
  if (cluster === undefined) throw new Error(`no cluster ${WHOLE}`);
  return cluster;
}

export function ruleWith(policy: Partial<TrafficPolicy>, fields: Partial<DestinationRule> = {}): DestinationRule {
  return destinationRule(HOST, { policy: { portLevelSettings: [], ...policy }, ...fields });
}

export function tls(mode: ClientTls["mode"], fields: Partial<ClientTls> = {}): ClientTls {
  const none = { clientCertificate: "", privateKey: "", caCertificates: "", caCrl: "", credentialName: "", sni: "" };
  return { mode, ...none, subjectAltNames: [], ...fields };
}
