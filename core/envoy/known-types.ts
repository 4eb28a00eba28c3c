import type { DescMessage } from "@bufbuild/protobuf";
import { ClusterSchema } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";
import { ListenerSchema } from "#proto/envoy/config/listener/v3/listener_pb.js";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";
import { FileAccessLogSchema } from "#proto/envoy/extensions/access_loggers/file/v3/file_pb.js";
import { HttpGrpcAccessLogConfigSchema, TcpGrpcAccessLogConfigSchema } from "#proto/envoy/extensions/access_loggers/grpc/v3/als_pb.js";
import { OpenTelemetryAccessLogConfigSchema } from "#proto/envoy/extensions/access_loggers/open_telemetry/v3/logs_service_pb.js";
import { ClusterConfigSchema } from "#proto/envoy/extensions/clusters/dynamic_forward_proxy/v3/cluster_pb.js";
import { CorsPolicySchema, CorsSchema } from "#proto/envoy/extensions/filters/http/cors/v3/cors_pb.js";
import { HTTPFaultSchema } from "#proto/envoy/extensions/filters/http/fault/v3/fault_pb.js";
import { RBACPerRouteSchema, RBACSchema } from "#proto/envoy/extensions/filters/http/rbac/v3/rbac_pb.js";
import { RouterSchema } from "#proto/envoy/extensions/filters/http/router/v3/router_pb.js";
import { HttpConnectionManagerSchema } from "#proto/envoy/extensions/filters/network/http_connection_manager/v3/http_connection_manager_pb.js";
import { MongoProxySchema } from "#proto/envoy/extensions/filters/network/mongo_proxy/v3/mongo_proxy_pb.js";
import { RBACSchema as NetworkRbacSchema } from "#proto/envoy/extensions/filters/network/rbac/v3/rbac_pb.js";
import { TcpProxySchema } from "#proto/envoy/extensions/filters/network/tcp_proxy/v3/tcp_proxy_pb.js";
import { DownstreamTlsContextSchema, UpstreamTlsContextSchema } from "#proto/envoy/extensions/transport_sockets/tls/v3/tls_pb.js";
import { HttpProtocolOptionsSchema } from "#proto/envoy/extensions/upstreams/http/v3/http_protocol_options_pb.js";

const TYPES: ReadonlyMap<string, DescMessage> = new Map(
  [
    ClusterSchema,
    ClusterLoadAssignmentSchema,
    ListenerSchema,
    RouteConfigurationSchema,
    HttpConnectionManagerSchema,
    TcpProxySchema,
    MongoProxySchema,
    NetworkRbacSchema,
    RouterSchema,
    CorsSchema,
    CorsPolicySchema,
    HTTPFaultSchema,
    RBACSchema,
    RBACPerRouteSchema,
    ClusterConfigSchema,
    FileAccessLogSchema,
    HttpGrpcAccessLogConfigSchema,
    TcpGrpcAccessLogConfigSchema,
    OpenTelemetryAccessLogConfigSchema,
    DownstreamTlsContextSchema,
    UpstreamTlsContextSchema,
    HttpProtocolOptionsSchema,
  ].map((schema) => [schema.typeName, schema]),
);

/** The types that Almanac spells and that have something in them to get wrong, by type URL. */
export function knownType(typeUrl: string): DescMessage | undefined {
  return TYPES.get(typeUrl.slice(typeUrl.lastIndexOf("/") + 1));
}
