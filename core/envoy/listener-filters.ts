import type { MessageInitShape } from "@bufbuild/protobuf";
import { memoize } from "#core/lib/memo.ts";
import type { ListenerFilterChainMatchPredicateSchema, ListenerFilterSchema } from "#proto/envoy/config/listener/v3/listener_components_pb.js";
import { HttpInspectorSchema } from "#proto/envoy/extensions/filters/listener/http_inspector/v3/http_inspector_pb.js";
import { OriginalDstSchema } from "#proto/envoy/extensions/filters/listener/original_dst/v3/original_dst_pb.js";
import { OriginalSrcSchema } from "#proto/envoy/extensions/filters/listener/original_src/v3/original_src_pb.js";
import { ProxyProtocolSchema } from "#proto/envoy/extensions/filters/listener/proxy_protocol/v3/proxy_protocol_pb.js";
import { TlsInspectorSchema } from "#proto/envoy/extensions/filters/listener/tls_inspector/v3/tls_inspector_pb.js";
import { packAny } from "./any.ts";

export type ListenerFilter = MessageInitShape<typeof ListenerFilterSchema>;
export type PortPredicate = MessageInitShape<typeof ListenerFilterChainMatchPredicateSchema>;

/** Restores the address that was dialled before redirection. */
export const originalDestination = memoize(
  (): ListenerFilter => ({
    name: "envoy.filters.listener.original_dst",
    configType: { case: "typedConfig", value: packAny(OriginalDstSchema, {}) },
  }),
);

/** TPROXY: keeps the client's address; the mark is the one that the injected iptables rules look for. */
export const originalSource = memoize(
  (): ListenerFilter => ({
    name: "envoy.filters.listener.original_src",
    configType: { case: "typedConfig", value: packAny(OriginalSrcSchema, { mark: 1337 }) },
  }),
);

/** Takes the client's address from the PROXY header that the connection starts with. */
export const proxyProtocol = memoize(
  (): ListenerFilter => ({
    name: "envoy.filters.listener.proxy_protocol",
    configType: { case: "typedConfig", value: packAny(ProxyProtocolSchema, {}) },
  }),
);

const tlsInspectorConfig = memoize(() => packAny(TlsInspectorSchema, { initialReadBufferSize: 512 }));
const httpInspectorConfig = memoize(() => packAny(HttpInspectorSchema, {}));

/** Detects TLS, SNI and ALPN; not where `disabled` holds. */
export function tlsInspector(disabled?: PortPredicate): ListenerFilter {
  return inspector("envoy.filters.listener.tls_inspector", tlsInspectorConfig(), disabled);
}

/** Detects plaintext HTTP; not where `disabled` holds. */
export function httpInspector(disabled?: PortPredicate): ListenerFilter {
  return inspector("envoy.filters.listener.http_inspector", httpInspectorConfig(), disabled);
}

function inspector(name: string, value: ReturnType<typeof packAny>, disabled: PortPredicate | undefined): ListenerFilter {
  return { name, configType: { case: "typedConfig", value }, ...(disabled && { filterDisabled: disabled }) };
}

/** Holds for connections to one of the ports (at least one). */
export function portsAre(ports: readonly number[]): PortPredicate {
  const rules = ports.map(portIs);
  const [only] = rules;
  return only !== undefined && rules.length === 1 ? only : { rule: { case: "orMatch", value: { rules } } };
}

/** Holds for connections to any other port. */
export function portsAreNot(ports: readonly number[]): PortPredicate {
  return { rule: { case: "notMatch", value: portsAre(ports) } };
}

function portIs(port: number): PortPredicate {
  return { rule: { case: "destinationPortRange", value: { start: port, end: port + 1 } } };
}
