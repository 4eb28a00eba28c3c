import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { memoize } from "#core/lib/memo.ts";
import type { AccessLogFilterSchema, AccessLogSchema } from "#proto/envoy/config/accesslog/v3/accesslog_pb.js";
import { ApiVersion } from "#proto/envoy/config/core/v3/config_source_pb.js";
import { FileAccessLogSchema } from "#proto/envoy/extensions/access_loggers/file/v3/file_pb.js";
import {
  type CommonGrpcAccessLogConfigSchema,
  HttpGrpcAccessLogConfigSchema,
  TcpGrpcAccessLogConfigSchema,
} from "#proto/envoy/extensions/access_loggers/grpc/v3/als_pb.js";
import { StderrAccessLogSchema, StdoutAccessLogSchema } from "#proto/envoy/extensions/access_loggers/stream/v3/stream_pb.js";
import { ReqWithoutQuerySchema } from "#proto/envoy/extensions/formatter/req_without_query/v3/req_without_query_pb.js";
import { packAny } from "./any.ts";

export type AccessLog = MessageInitShape<typeof AccessLogSchema>;
export type AccessLogFilter = MessageInitShape<typeof AccessLogFilterSchema>;

export type LogFormat = { readonly kind: "text"; readonly text: string } | { readonly kind: "json"; readonly fields: JsonObject };

export interface FileLogFields {
  readonly path: string;
  readonly format: LogFormat;
  readonly omitEmptyValues?: boolean;
  /** The format uses `%REQ_WITHOUT_QUERY(…)%`, which is an extension. */
  readonly withoutQuery: boolean;
}

/** Lines in a file. */
export function fileLog(fields: FileLogFields, filter?: AccessLogFilter): AccessLog {
  const value = packAny(FileAccessLogSchema, { path: fields.path, accessLogFormat: { case: "logFormat", value: lineFormat(fields) } });
  return { name: "envoy.access_loggers.file", configType: { case: "typedConfig", value }, ...(filter && { filter }) };
}

/** Lines on a stream of the process, whatever that is connected to. */
export function streamLog(stream: "stdout" | "stderr", fields: Omit<FileLogFields, "path">, filter?: AccessLogFilter): AccessLog {
  const schema = stream === "stdout" ? StdoutAccessLogSchema : StderrAccessLogSchema;
  const value = packAny(schema, { accessLogFormat: { case: "logFormat", value: lineFormat(fields) } });
  return { name: `envoy.access_loggers.${stream}`, configType: { case: "typedConfig", value }, ...(filter && { filter }) };
}

function lineFormat({ format, omitEmptyValues = false, withoutQuery }: Omit<FileLogFields, "path">) {
  return { ...formatMessage(format), omitEmptyValues, formatters: withoutQuery ? [withoutQueryFormatter()] : [] };
}

function formatMessage(format: LogFormat) {
  if (format.kind === "json") return { format: { case: "jsonFormat", value: format.fields }, jsonFormatOptions: {} } as const;
  return { format: { case: "textFormatSource", value: { specifier: { case: "inlineString", value: format.text } } } } as const;
}

const withoutQueryFormatter = memoize(() => ({ name: "envoy.formatter.req_without_query", typedConfig: packAny(ReqWithoutQuerySchema, {}) }));

export interface GrpcLogFields {
  readonly logName: string;
  readonly cluster: string;
  /** "" for none. */
  readonly authority: string;
  readonly filterState: readonly string[];
}

/** Streams to an access log service, an entry a request. */
export function httpGrpcLog(fields: GrpcLogFields): AccessLog {
  const value = packAny(HttpGrpcAccessLogConfigSchema, { commonConfig: commonConfig(fields) });
  return { name: "envoy.access_loggers.http_grpc", configType: { case: "typedConfig", value } };
}

/** Likewise, an entry a connection. */
export function tcpGrpcLog(fields: GrpcLogFields, filter?: AccessLogFilter): AccessLog {
  const value = packAny(TcpGrpcAccessLogConfigSchema, { commonConfig: commonConfig(fields) });
  return { name: "envoy.tcp_grpc_access_log", configType: { case: "typedConfig", value }, ...(filter && { filter }) };
}

function commonConfig(fields: GrpcLogFields): MessageInitShape<typeof CommonGrpcAccessLogConfigSchema> {
  return {
    logName: fields.logName,
    grpcService: { targetSpecifier: { case: "envoyGrpc", value: { clusterName: fields.cluster, authority: fields.authority } } },
    transportApiVersion: ApiVersion.V3,
    filterStateObjectsToLog: [...fields.filterState],
  };
}

/** Logs only what ended with one of Envoy's response flags (`NR`: no route, or no filter chain). */
export function responseFlags(flags: readonly string[]): AccessLogFilter {
  return { filterSpecifier: { case: "responseFlagFilter", value: { flags: [...flags] } } };
}
