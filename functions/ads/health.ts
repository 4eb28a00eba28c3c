import { create, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { SERVICES, serviceMessage } from "./service-descriptors.ts";

// grpc.health.v1.HealthCheckResponse.ServingStatus
const SERVING = 1;
const NOT_SERVING = 2;
const SERVICE_UNKNOWN = 3;

/** What gRPC health says of a service: reflection and health always serve, xDS once there is an edition. Undefined for a service that is not here. */
export function healthOf(service: string, ready: boolean): number | undefined {
  if (service !== "" && !SERVICES.some((name) => name === service)) return undefined;
  return ready ? SERVING : NOT_SERVING;
}

/** A watcher of a service that is not here is told so, and told when it comes (grpc/health/v1/health.proto, Watch). */
export function watchedHealth(service: string, ready: boolean): number {
  return healthOf(service, ready) ?? SERVICE_UNKNOWN;
}

/** The service that a request asks about. Throws for bytes that are no request. */
export function readHealthRequest(bytes: Uint8Array): string {
  return (fromBinary(serviceMessage("grpc.health.v1.HealthCheckRequest"), bytes) as Message & { readonly service: string }).service;
}

/** The answer, as bytes. */
export function healthResponse(status: number): Uint8Array {
  const schema = serviceMessage("grpc.health.v1.HealthCheckResponse");
  return toBinary(schema, create(schema, { status }));
}
