import type { MessageInitShape } from "@bufbuild/protobuf";
import { ApiConfigSource_ApiType, ApiVersion } from "#proto/envoy/config/core/v3/config_source_pb.js";
import type { SdsSecretConfigSchema } from "#proto/envoy/extensions/transport_sockets/tls/v3/secret_pb.js";
import { ZERO_DURATION } from "./duration.ts";

export type SecretReference = MessageInitShape<typeof SdsSecretConfigSchema>;

/** Names under which Istio's agent serves a workload's own certificate and the mesh's roots. */
export const WORKLOAD_SECRET = "default";
export const ROOT_SECRET = "ROOTCA";

/** Istio's agent beside the proxy, and a custom server for certificates in files (node metadata `file-credential`). */
export type SecretServer = "sds-grpc" | "sds-files-grpc";

/** A secret that the proxy's own agent serves (istio `pkg/model/authentication.go`): the workload's pair waits for as long as it takes. */
export function agentSecret(name: string, server: SecretServer = "sds-grpc"): SecretReference {
  const own = name === WORKLOAD_SECRET || name === ROOT_SECRET;
  return {
    name,
    sdsConfig: {
      configSourceSpecifier: {
        case: "apiConfigSource",
        value: {
          apiType: ApiConfigSource_ApiType.GRPC,
          setNodeOnFirstMessageOnly: true,
          transportApiVersion: ApiVersion.V3,
          grpcServices: [{ targetSpecifier: { case: "envoyGrpc", value: { clusterName: own ? "sds-grpc" : server } } }],
        },
      },
      resourceApiVersion: ApiVersion.V3,
      ...(own && { initialFetchTimeout: ZERO_DURATION }),
    },
  };
}
