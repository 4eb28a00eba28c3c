import { memoize } from "#core/lib/memo.ts";
import { present } from "#core/lib/present.ts";
import { type JsonProblem, messageFromJson } from "#core/lib/protobuf/from-json.ts";
import type { ProxyConfig } from "#core/model/proxy-config.ts";
import {
  ProxyConfig_ProxyHeaders_MetadataExchangeMode as ExchangeMode,
  ForwardClientCertDetails,
  type ProxyConfig as Message,
  type ProxyConfig_ProxyHeaders,
  ProxyConfigSchema,
  type Tracing_CustomTag,
} from "#proto/mesh/v1alpha1/proxy_pb.js";
import { connectionSettingsOf } from "../rules/connection-settings.ts";
import { durationOf } from "../rules/proto-duration.ts";

const DISCOVERY_ADDRESS = "istiod.istio-system.svc:15012";

/** Reads a node's own `PROXY_CONFIG`; undefined if it can't be read (the mesh's default counts then). */
export const resolveProxyConfig = memoize((raw: Readonly<Record<string, unknown>>): ProxyConfig | undefined => {
  const problems: JsonProblem[] = [];
  const message = messageFromJson(ProxyConfigSchema, raw, problems);
  return problems.length === 0 ? proxyConfigOf(message) : undefined;
});

/** Projects a ProxyConfig; absent: Istio's default (istio `pkg/config/mesh/mesh.go` DefaultProxyConfig). */
export function proxyConfigOf(message: Message | undefined): ProxyConfig {
  const tracing = message?.tracing;
  return present({
    discoveryAddress: message?.discoveryAddress || DISCOVERY_ADDRESS,
    tracingSampling: tracing === undefined || tracing.sampling === 0 ? undefined : tracing.sampling,
    tracingCustomTags: Object.fromEntries(Object.entries(tracing?.customTags ?? {}).flatMap(([name, tag]) => customTagOf(name, tag))),
    tracingMaxPathTagLength: tracing === undefined || tracing.maxPathTagLength === 0 ? undefined : tracing.maxPathTagLength,
    tracingIstioTags: tracing?.enableIstioTags,
    gatewayTopology: {
      numTrustedProxies: message?.gatewayTopology?.numTrustedProxies ?? 0,
      forwardClientCertDetails: ForwardClientCertDetails[message?.gatewayTopology?.forwardClientCertDetails ?? 0] ?? "UNDEFINED",
      proxyProtocol: message?.gatewayTopology?.proxyProtocol !== undefined,
    },
    proxyHeaders: proxyHeadersOf(message?.proxyHeaders),
    connectionSettings: connectionSettingsOf(message?.connectionSettings),
    holdApplicationUntilProxyStarts: message?.holdApplicationUntilProxyStarts,
    drainDuration: durationOf(message?.drainDuration),
  });
}

type CustomTag = ProxyConfig["tracingCustomTags"][string];

function customTagOf(name: string, { type }: Tracing_CustomTag): readonly (readonly [string, CustomTag])[] {
  switch (type.case) {
    case "literal":
      return [[name, { kind: "literal", name: type.value.value, defaultValue: "" }]];
    case "environment":
      return [[name, { kind: "environment", name: type.value.name, defaultValue: type.value.defaultValue }]];
    case "header":
      return [[name, { kind: "header", name: type.value.name, defaultValue: type.value.defaultValue }]];
    default:
      return [];
  }
}

function proxyHeadersOf(message: ProxyConfig_ProxyHeaders | undefined): ProxyConfig["proxyHeaders"] {
  if (message === undefined) return undefined;
  const details = message.setCurrentClientCertDetails;
  return present({
    forwardedClientCert: ForwardClientCertDetails[message.forwardedClientCert] ?? "UNDEFINED",
    setCurrentClientCertDetails:
      details === undefined
        ? undefined
        : present({ subject: details.subject, cert: details.cert, chain: details.chain, dns: details.dns, uri: details.uri }),
    requestIdDisabled: message.requestId?.disabled,
    serverDisabled: message.server?.disabled,
    serverValue: message.server?.value ?? "",
    attemptCountDisabled: message.attemptCount?.disabled,
    envoyDebugHeadersDisabled: message.envoyDebugHeaders?.disabled,
    metadataExchangeInMesh: message.metadataExchangeHeaders?.mode === ExchangeMode.IN_MESH,
    preserveHttp1HeaderCase: message.preserveHttp1HeaderCase,
    xForwardedHost: message.xForwardedHost?.enabled ?? false,
    xForwardedPort: message.xForwardedPort?.enabled ?? false,
  });
}
