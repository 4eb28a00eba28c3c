import type { JsonObject } from "@bufbuild/protobuf";
import { configPath } from "#core/envoy/istio-metadata.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { ScopedService } from "#core/model/scope.ts";
import type { Service, ServicePort } from "#core/model/service.ts";
import type { ClientTls } from "#core/model/traffic-policy.ts";

/** One entry of the list by which telemetry knows a cluster's services (istio `core/cluster.go` buildServiceMetadata). */
export function serviceEntry({ host, name, namespace }: Pick<Service, "host" | "name" | "namespace">): JsonObject {
  return { host, name, namespace };
}

/** Names the rule that shaped a cluster. */
export function ruleEntry(rule: DestinationRule): string {
  return configPath("destination-rule", rule);
}

/** A client that originates TLS itself must not have its ALPN rewritten (istio `util` AddALPNOverrideToMetadata). */
export function alpnEntry(tls: ClientTls | undefined): JsonObject {
  return tls?.mode === "SIMPLE" || tls?.mode === "MUTUAL" ? { alpn_override: "false" } : {};
}

/** Whether telemetry may ask the other side who it is: outside of the mesh nobody answers, and of tunnels nobody asks (istio `core/cluster_builder.go`). */
export function exchangeEntry({ service, derived }: ScopedService, port: ServicePort): JsonObject {
  if (derived.ports[port.number]?.allTakeTunnels) return { disable_mx: true };
  return service.meshExternal ? { external: true } : {};
}
