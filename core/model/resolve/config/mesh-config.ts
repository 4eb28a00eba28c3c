import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { seconds } from "#core/lib/duration.ts";
import { expressionProblem } from "#core/lib/label-selector.ts";
import { own } from "#core/lib/own.ts";
import { present } from "#core/lib/present.ts";
import { type JsonProblem, messageFromJson } from "#core/lib/protobuf/from-json.ts";
import type { MeshConfig, OutboundPolicy } from "#core/model/mesh-config.ts";
import {
  MeshConfig_AccessLogEncoding as Encoding,
  MeshConfig_InboundTrafficPolicy_Mode as InboundMode,
  type MeshConfig_TLSConfig,
  MeshConfigSchema,
  type MeshConfig as Message,
  MeshConfig_ProxyPathNormalization_NormalizationType as Normalization,
  MeshConfig_OutboundTrafficPolicy_Mode as OutboundMode,
  MeshConfig_TLSConfig_TLSProtocol as TlsProtocol,
  MeshConfig_H2UpgradePolicy as Upgrade,
} from "#proto/mesh/v1alpha1/config_pb.js";
import { retryOf } from "../rules/http-route.ts";
import { localityLbOf, zoneAwareOf } from "../rules/load-balancer.ts";
import { durationOf } from "../rules/proto-duration.ts";
import { clientTlsOf, connectionPoolOf, keepaliveOf, outlierDetectionOf } from "../rules/traffic-policy.ts";
import { serviceEntryVisibilityOf } from "../services/service-entry-visibility.ts";
import { labelSelectorOf } from "./label-selector.ts";
import { proxyConfigOf } from "./proxy-config.ts";

/**
 * Reads Istio's mesh config (`mesh.yaml`, parsed) and fills in its defaults: a field that is given replaces the default as a whole, blocks included;
 * only `defaultConfig` is merged (istio `pkg/config/mesh/mesh.go`). What can't be read at all leaves the defaults, with a Diagnostic.
 */
export function resolveMeshConfig(
  raw: unknown,
  domainSuffix = "cluster.local",
): { readonly config: MeshConfig; readonly diagnostics: readonly Diagnostic[] } {
  const problems: JsonProblem[] = [];
  const message = messageFromJson(MeshConfigSchema, raw ?? {}, problems);
  if (problems.length === 0)
    return { config: configOf(message, (raw ?? {}) as Readonly<Record<string, unknown>>, domainSuffix), diagnostics: selectorProblems(message) };
  return { config: configOf(messageFromJson(MeshConfigSchema, {}, []), {}, domainSuffix), diagnostics: problems.map(unreadable) };
}

/** Why mesh config can't be used at all; nothing if it can. Whoever has an earlier one keeps that: Istio's defaults would be another mesh. */
export function meshConfigProblems(raw: unknown): readonly Diagnostic[] {
  return resolveMeshConfig(raw).diagnostics.filter(({ refused }) => refused);
}

/** One discovery selector that Kubernetes refuses, and Istio uses none of them (`pkg/kube/namespace/filter.go` selectorsChanged). */
function selectorProblems({ discoverySelectors }: Message): readonly Diagnostic[] {
  return discoverySelectors.flatMap(({ matchExpressions }, at) =>
    matchExpressions.flatMap((expression, index): readonly Diagnostic[] => {
      const problem = expressionProblem(expression);
      if (problem === undefined) return [];
      const { severity, code, key } = unreadable({ path: "", message: "" });
      const message = `${problem}; no discovery selector counts`;
      return [{ severity, code, check: "validation", refused: false, key, field: `discoverySelectors[${at}].matchExpressions[${index}]`, message }];
    }),
  );
}

function unreadable({ path, message }: JsonProblem): Diagnostic {
  const key = { cluster: "", kind: "MeshConfig", namespace: "", name: "mesh" };
  return { severity: "error", code: "IST0106", check: "validation", refused: true, key, field: path, message: `mesh config is not used: ${message}` };
}

const OUTBOUND: Readonly<Record<number, OutboundPolicy>> = {
  [OutboundMode.REGISTRY_ONLY]: "REGISTRY_ONLY",
  [OutboundMode.ALLOW_ANY]: "ALLOW_ANY",
  [OutboundMode.ALLOW_ANY_DYNAMIC_DNS]: "ALLOW_ANY_DYNAMIC_DNS",
};
const NORMALIZATION = {
  [Normalization.DEFAULT]: "DEFAULT",
  [Normalization.NONE]: "NONE",
  [Normalization.BASE]: "BASE",
  [Normalization.MERGE_SLASHES]: "MERGE_SLASHES",
  [Normalization.DECODE_AND_MERGE_SLASHES]: "DECODE_AND_MERGE_SLASHES",
} as const;

/** `raw` says which scalar fields were given, where the zero value differs from the default. */
function configOf(message: Message, raw: Readonly<Record<string, unknown>>, domainSuffix: string): MeshConfig {
  const given = (name: string, protoName: string) => (own(raw, name) ?? own(raw, protoName) ?? undefined) !== undefined;
  return present({
    rootNamespace: message.rootNamespace || "istio-system",
    domainSuffix,
    ...identityOf(message, given("trustDomain", "trust_domain")),
    ...connectionsOf(message, given("proxyInboundListenPort", "proxy_inbound_listen_port")),
    ...policiesOf(message),
    ...exportDefaultsOf(message),
    ...telemetryOf(message, given("enableTracing", "enable_tracing")),
    defaultConfig: proxyConfigOf(message.defaultConfig),
    discoverySelectors: discoverySelectorsOf(message),
    serviceEntryVisibility: serviceEntryVisibilityOf(message.serviceEntryVisibility),
  });
}

function discoverySelectorsOf(message: Message) {
  const selectors = message.discoverySelectors;
  return selectors.length === 0 || selectorProblems(message).length > 0 ? undefined : selectors.map(labelSelectorOf);
}

function identityOf(message: Message, domainGiven: boolean) {
  return {
    trustDomain: domainGiven ? message.trustDomain : "cluster.local",
    trustDomainAliases: [...new Set(message.trustDomainAliases)].sort(),
    caTrustDomains: message.caCertificates.flatMap(({ trustDomains }) => trustDomains),
    enableAutoMtls: message.enableAutoMtls ?? true,
    meshTls: {
      minimumTls13: message.meshMTLS?.minProtocolVersion === TlsProtocol.TLSV1_3,
      cipherSuites: message.meshMTLS?.cipherSuites ?? [],
      ecdhCurves: message.meshMTLS?.ecdhCurves ?? [],
    },
    tlsDefaults: tlsDefaultsOf(message.tlsDefaults),
  };
}

function connectionsOf(message: Message, inboundPortGiven: boolean) {
  return {
    connectTimeout: durationOf(message.connectTimeout) ?? seconds(10),
    tcpKeepalive: keepaliveOf(message.tcpKeepalive),
    dnsRefreshRate: durationOf(message.dnsRefreshRate) ?? seconds(60),
    protocolDetectionTimeout: durationOf(message.protocolDetectionTimeout) ?? seconds(0),
    proxyListenPort: message.proxyListenPort || 15001,
    proxyInboundListenPort: inboundPortGiven ? message.proxyInboundListenPort : 15006,
    proxyHttpPort: message.proxyHttpPort,
    h2UpgradePolicy: message.h2UpgradePolicy === Upgrade.UPGRADE ? ("UPGRADE" as const) : ("DO_NOT_UPGRADE" as const),
    pathNormalization: NORMALIZATION[message.pathNormalization?.normalization ?? Normalization.DEFAULT] ?? "DEFAULT",
  };
}

function policiesOf(message: Message) {
  const { outboundTrafficPolicy: outbound, inboundTrafficPolicy: inbound } = message;
  return {
    outboundTrafficPolicy: outbound === undefined ? ("ALLOW_ANY" as const) : (OUTBOUND[outbound.mode] ?? "ALLOW_ANY"),
    outboundTls: clientTlsOf(outbound?.tls),
    inboundTrafficPolicy: inbound?.mode === InboundMode.LOCALHOST ? ("LOCALHOST" as const) : ("PASSTHROUGH" as const),
    localityLb: message.localityLbSetting === undefined ? DEFAULT_LOCALITY : localityLbOf(message.localityLbSetting),
    zoneAware: zoneAwareOf(message.zoneAwareLbSetting),
    defaultHttpRetryPolicy: retryOf(message.defaultHttpRetryPolicy),
    defaultTrafficPolicy: defaultTrafficPolicyOf(message),
    serviceSettings: message.serviceSettings.map(({ settings, hosts }) => ({ hosts, clusterLocal: settings?.clusterLocal ?? false })),
  };
}

const DEFAULT_LOCALITY = { enabled: true, distribute: [], failover: [], failoverPriority: [] };

function exportDefaultsOf(message: Message) {
  const orPublic = (list: readonly string[]) => (list.length === 0 ? ["*"] : list);
  return {
    defaultServiceExportTo: orPublic(message.defaultServiceExportTo),
    defaultVirtualServiceExportTo: orPublic(message.defaultVirtualServiceExportTo),
    defaultDestinationRuleExportTo: orPublic(message.defaultDestinationRuleExportTo),
  };
}

function telemetryOf(message: Message, tracingGiven: boolean) {
  return {
    outboundClusterStatName: message.outboundClusterStatName,
    inboundClusterStatName: message.inboundClusterStatName,
    accessLogFile: message.accessLogFile,
    accessLogFormat: message.accessLogFormat,
    accessLogEncoding: message.accessLogEncoding === Encoding.JSON ? ("JSON" as const) : ("TEXT" as const),
    enableEnvoyAccessLogService: message.enableEnvoyAccessLogService,
    disableEnvoyListenerLog: message.disableEnvoyListenerLog,
    enableTracing: tracingGiven ? message.enableTracing : true,
    defaultProviders: {
      metrics: message.defaultProviders?.metrics ?? [],
      tracing: message.defaultProviders?.tracing ?? [],
      accessLogging: message.defaultProviders?.accessLogging ?? [],
    },
  };
}

function defaultTrafficPolicyOf({ defaultTrafficPolicy: policy }: Message): MeshConfig["defaultTrafficPolicy"] {
  if (policy === undefined) return undefined;
  return present({ connectionPool: connectionPoolOf(policy.connectionPool), outlierDetection: outlierDetectionOf(policy.outlierDetection) });
}

const PROTOCOLS = { [TlsProtocol.TLS_AUTO]: "TLS_AUTO", [TlsProtocol.TLSV1_2]: "TLSV1_2", [TlsProtocol.TLSV1_3]: "TLSV1_3" } as const;

function tlsDefaultsOf(message: MeshConfig_TLSConfig | undefined): MeshConfig["tlsDefaults"] {
  return {
    minimumVersion: PROTOCOLS[message?.minProtocolVersion ?? TlsProtocol.TLS_AUTO] ?? "TLS_AUTO",
    cipherSuites: message?.cipherSuites ?? [],
    ecdhCurves: message?.ecdhCurves ?? [],
  };
}
