import type { Diagnostic } from "#core/lib/diagnostic.ts";
import type { ObjectKey } from "#core/lib/object-key.ts";
import type { DestinationRule } from "#core/model/destination-rule.ts";
import type { ScopedService } from "#core/model/scope.ts";
import type { Workload } from "#core/model/workload.ts";
import type { ClusterSettings } from "./clusters/settings.ts";
import type { ListenerSettings } from "./listeners/settings.ts";

const CODE = "ALM0701";
const HOW_TO = "TLS_CLIENT_CERT_CHAIN, TLS_CLIENT_KEY and TLS_CLIENT_ROOT_CERT, or TLS_CREDENTIAL, in the node's metadata name one";

/** What users should know of clients without a certificate: they speak plain text to whoever insists on mutual TLS. */
export function plaintextOutbound(services: readonly ScopedService[], { outbound }: ClusterSettings): readonly Diagnostic[] {
  if (outbound.own !== undefined) return [];
  const found = services.flatMap((scoped) => [...insistingRule(scoped), ...insistingServer(scoped)]);
  return [...new Map(found.map((one) => [`${one.key.kind}/${one.key.namespace}/${one.key.name}`, one])).values()];
}

function insistingRule({ rule, service }: ScopedService): readonly Diagnostic[] {
  const key = rule?.sources[0];
  if (rule === undefined || key === undefined || !asksForMutualTls(rule)) return [];
  return [warning(key, "spec.trafficPolicy.tls.mode", `a proxy without a certificate reaches ${service.host} in plain text; ${HOW_TO}`)];
}

function asksForMutualTls({ policy, subsets }: DestinationRule): boolean {
  const policies = [policy, ...subsets.map((subset) => subset.policy)].flatMap((one) => (one === undefined ? [] : [one, ...one.portLevelSettings]));
  return policies.some(({ tls }) => tls?.mode === "ISTIO_MUTUAL");
}

function insistingServer({ service, mtlsMode, mtlsSources }: ScopedService): readonly Diagnostic[] {
  const key = mtlsSources.at(-1);
  if (mtlsMode !== "STRICT" || service.meshExternal || key === undefined) return [];
  return [warning(key, "spec.mtls.mode", `a proxy without a certificate can't reach ${service.host}, which insists on mutual TLS; ${HOW_TO}`)];
}

/** And of servers: what insists on mutual TLS is closed. */
export function closedInbound({ mtls, namespace, sidecar }: Workload, { peerTls, interception }: ListenerSettings): readonly Diagnostic[] {
  const key = mtls.sources.at(-1);
  const strict = mtls.mode === "STRICT" || Object.values(mtls.ports).includes("STRICT");
  const serves = interception !== "NONE" || (sidecar?.ingress ?? []).length > 0;
  if (peerTls !== undefined || !strict || !serves || key === undefined) return [];
  const message = `ports of a proxy in namespace ${namespace} are closed: they insist on mutual TLS, and the proxy has no certificate`;
  return [warning(key, "spec.mtls.mode", `${message}; TLS_SERVER_CERT_CHAIN, TLS_SERVER_KEY and TLS_SERVER_ROOT_CERT, or TLS_CREDENTIAL, name one`)];
}

function warning(key: ObjectKey, field: string, message: string): Diagnostic {
  return { severity: "warning", code: CODE, check: "analysis", refused: false, key, field, message };
}
