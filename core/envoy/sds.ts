import type { MessageInitShape } from "@bufbuild/protobuf";
import { encodeFragment } from "#core/lib/protobuf/encode.ts";
import type { Fragment } from "#core/lib/protobuf/fragment.ts";
import { recent } from "#core/lib/recent.ts";
import { ApiConfigSource_ApiType, ApiVersion, type ConfigSourceSchema } from "#proto/envoy/config/core/v3/config_source_pb.js";
import { SdsSecretConfigSchema } from "#proto/envoy/extensions/transport_sockets/tls/v3/secret_pb.js";
import { ZERO_DURATION } from "./duration.ts";

/** Where a secret comes from, encoded: references are few, and stand in every cluster and listener. */
export type SecretReference = Fragment<typeof SdsSecretConfigSchema>;

/** Names under which Istio's agent serves a workload's own certificate and the mesh's roots. */
export const WORKLOAD_SECRET = "default";
export const ROOT_SECRET = "ROOTCA";

/** Istio's agent beside the proxy, a custom server for certificates in files (node metadata `file-credential`), or the proxy's own stream. */
export type SecretServer = "sds-grpc" | "sds-files-grpc" | "ads";

/** A secret that the proxy's own agent serves (istio `pkg/model/authentication.go`): the workload's pair waits for as long as it takes. */
export function agentSecret(name: string, server: SecretServer = "sds-grpc"): SecretReference {
  if (server === "ads") return adsSecret(name);
  const own = name === WORKLOAD_SECRET || name === ROOT_SECRET;
  const from = own ? "sds-grpc" : server;
  return reference(name, from, () => ({ ...streamedFrom(from), ...(own && { initialFetchTimeout: ZERO_DURATION }) }));
}

/** A secret that comes over the proxy's own ADS stream. It may not exist, so nothing waits longer for it than Envoy does by default. */
export function adsSecret(name: string): SecretReference {
  return reference(name, "ads", () => ({ configSourceSpecifier: { case: "ads", value: {} }, resourceApiVersion: ApiVersion.V3 }));
}

/** The cluster of an SDS server on a socket beside the proxy (node metadata `credential`), and that socket. */
export const SOCKET_SECRETS_CLUSTER = "sds-external";
export const SOCKET_SECRETS_PATH = "./var/run/secrets/credential-uds/socket";

/** A secret of that server. */
export function socketSecret(name: string): SecretReference {
  return reference(name, SOCKET_SECRETS_CLUSTER, () => streamedFrom(SOCKET_SECRETS_CLUSTER));
}

function reference(name: string, server: string, source: () => MessageInitShape<typeof ConfigSourceSchema>): SecretReference {
  return known(`${server} ${name}`, () => encodeFragment(SdsSecretConfigSchema, { name, sdsConfig: source() }));
}

const known = recent<SecretReference>(1024);

/** An SDS server that is a cluster of the proxy's. */
function streamedFrom(clusterName: string) {
  return {
    configSourceSpecifier: {
      case: "apiConfigSource" as const,
      value: {
        apiType: ApiConfigSource_ApiType.GRPC,
        setNodeOnFirstMessageOnly: true,
        transportApiVersion: ApiVersion.V3,
        grpcServices: [{ targetSpecifier: { case: "envoyGrpc" as const, value: { clusterName } } }],
      },
    },
    resourceApiVersion: ApiVersion.V3,
  };
}
