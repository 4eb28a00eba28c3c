import {
  type AccessLog,
  type AccessLogFilter,
  fileLog,
  httpGrpcLog,
  type LogFormat,
  responseFlags,
  streamLog,
  tcpGrpcLog,
} from "#core/envoy/access-log.ts";
import type { MeshConfig } from "#core/model/mesh-config.ts";
import type { FrameFeatures } from "./features.ts";

/** The access logs of the listeners of one class, by where they are written. */
export interface AccessLogs {
  /** In connection managers. */
  readonly http: readonly AccessLog[];
  /** In TCP proxies. */
  readonly tcp: readonly AccessLog[];
  /** On listeners themselves: connections that no filter chain takes. */
  readonly listener: readonly AccessLog[];
}

const NO_CHAIN = responseFlags(["NR"]);

/** Istio's log line (istio `model/telemetry_logging.go` EnvoyTextLogFormat). */
const TEXT_FORMAT = `${[
  "[%START_TIME%]",
  '"%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%"',
  "%RESPONSE_CODE% %RESPONSE_FLAGS% %RESPONSE_CODE_DETAILS% %CONNECTION_TERMINATION_DETAILS%",
  '"%UPSTREAM_TRANSPORT_FAILURE_REASON%"',
  "%BYTES_RECEIVED% %BYTES_SENT% %DURATION% %RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)%",
  '"%REQ(X-FORWARDED-FOR)%" "%REQ(USER-AGENT)%" "%REQ(X-REQUEST-ID)%" "%REQ(:AUTHORITY)%" "%UPSTREAM_HOST%"',
  "%UPSTREAM_CLUSTER_RAW% %UPSTREAM_LOCAL_ADDRESS% %DOWNSTREAM_LOCAL_ADDRESS% %DOWNSTREAM_REMOTE_ADDRESS%",
  "%REQUESTED_SERVER_NAME% %ROUTE_NAME%",
].join(" ")}\n`;

/** Istio's log entry as JSON, key by key in order (istio `model/telemetry_logging.go` EnvoyJSONLogFormatIstio). */
const JSON_FORMAT = {
  authority: "%REQ(:AUTHORITY)%",
  bytes_received: "%BYTES_RECEIVED%",
  bytes_sent: "%BYTES_SENT%",
  connection_termination_details: "%CONNECTION_TERMINATION_DETAILS%",
  downstream_local_address: "%DOWNSTREAM_LOCAL_ADDRESS%",
  downstream_remote_address: "%DOWNSTREAM_REMOTE_ADDRESS%",
  duration: "%DURATION%",
  method: "%REQ(:METHOD)%",
  path: "%REQ(X-ENVOY-ORIGINAL-PATH?:PATH)%",
  protocol: "%PROTOCOL%",
  request_id: "%REQ(X-REQUEST-ID)%",
  requested_server_name: "%REQUESTED_SERVER_NAME%",
  response_code: "%RESPONSE_CODE%",
  response_code_details: "%RESPONSE_CODE_DETAILS%",
  response_flags: "%RESPONSE_FLAGS%",
  route_name: "%ROUTE_NAME%",
  start_time: "%START_TIME%",
  upstream_cluster: "%UPSTREAM_CLUSTER_RAW%",
  upstream_host: "%UPSTREAM_HOST%",
  upstream_local_address: "%UPSTREAM_LOCAL_ADDRESS%",
  upstream_service_time: "%RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)%",
  upstream_transport_failure_reason: "%UPSTREAM_TRANSPORT_FAILURE_REASON%",
  user_agent: "%REQ(USER-AGENT)%",
  x_forwarded_for: "%REQ(X-FORWARDED-FOR)%",
};

/** The service that the bootstrap calls `envoy_accesslog_service`, and what it is told of peers (istio `core/accesslog.go`). */
const ALS_CLUSTER = "envoy_accesslog_service";
const PEERS = ["upstream_peer", "downstream_peer", "wasm.upstream_peer", "wasm.upstream_peer_id", "wasm.downstream_peer", "wasm.downstream_peer_id"];

/** Istio's built-in access log provider. */
const BUILT_IN_PROVIDER = "envoy";

/**
 * Access logs as mesh config has them: default providers, or without any (or none that can be found) the log file and the log service
 * (istio `core/accesslog.go` setHTTPAccessLog, setTCPAccessLog, setListenerAccessLog). `proxy`: what it can log to.
 */
export function meshAccessLogs(config: MeshConfig, proxy: LogFeatures): AccessLogs {
  const logs = providerLogs(config, proxy) ?? fileAndServiceLogs(config, proxy);
  return config.disableEnvoyListenerLog ? { ...logs, listener: [] } : logs;
}

type LogFeatures = Pick<FrameFeatures, "logService" | "streamFiles">;

function providerLogs(config: MeshConfig, proxy: LogFeatures): AccessLogs | undefined {
  if (!config.defaultProviders.accessLogging.some((name) => name.toLowerCase() === BUILT_IN_PROVIDER)) return undefined;
  return fileLogs("/dev/stdout", config, proxy);
}

function fileAndServiceLogs(config: MeshConfig, proxy: LogFeatures): AccessLogs {
  const file = config.accessLogFile === "" ? NONE : fileLogs(config.accessLogFile, config, proxy);
  if (!config.enableEnvoyAccessLogService || !proxy.logService) return file;
  const service = (logName: string) => ({ logName, cluster: ALS_CLUSTER, authority: "", filterState: PEERS });
  return {
    http: [...file.http, httpGrpcLog(service("http_envoy_accesslog"))],
    tcp: [...file.tcp, tcpGrpcLog(service("tcp_envoy_accesslog"))],
    listener: [...file.listener, tcpGrpcLog(service("listener_envoy_accesslog"), NO_CHAIN)],
  };
}

const NONE: AccessLogs = { http: [], tcp: [], listener: [] };

function fileLogs(path: string, config: MeshConfig, { streamFiles }: LogFeatures): AccessLogs {
  const format = meshFormat(config);
  const stream = streamFiles ? undefined : STREAMS[path];
  const make = (filter?: AccessLogFilter) => (stream === undefined ? fileLog({ path, ...format }, filter) : streamLog(stream, format, filter));
  const log = make();
  return { http: [log], tcp: [log], listener: [make(NO_CHAIN)] };
}

const STREAMS: Readonly<Record<string, "stdout" | "stderr">> = { "/dev/stdout": "stdout", "/dev/stderr": "stderr" };

function meshFormat(config: MeshConfig): { readonly format: LogFormat; readonly withoutQuery: boolean } {
  if (config.accessLogEncoding === "TEXT") {
    const text = textFormat(config.accessLogFormat);
    return { format: { kind: "text", text }, withoutQuery: usesWithoutQuery(text) };
  }
  const fields = jsonFormat(config.accessLogFormat);
  return { format: { kind: "json", fields }, withoutQuery: Object.values(fields).some(usesWithoutQuery) };
}

function usesWithoutQuery(format: unknown): boolean {
  return typeof format === "string" && format.includes("%REQ_WITHOUT_QUERY");
}

/** A format without a line end gets one. */
function textFormat(format: string): string {
  if (format === "") return TEXT_FORMAT;
  return format.endsWith("\n") ? format : `${format}\n`;
}

type JsonFields = (LogFormat & { readonly kind: "json" })["fields"];

/** What is no JSON object is replaced by Istio's own format. */
function jsonFormat(format: string): JsonFields {
  if (format === "") return JSON_FORMAT;
  try {
    const parsed: unknown = JSON.parse(format);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? (parsed as JsonFields) : JSON_FORMAT;
  } catch {
    return JSON_FORMAT;
  }
}
