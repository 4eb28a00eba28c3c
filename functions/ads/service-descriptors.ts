import { create, createFileRegistry, type DescFile, type DescMessage, type FileRegistry } from "@bufbuild/protobuf";
import {
  type FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { file_envoy_service_discovery_v3_ads } from "#proto/envoy/service/discovery/v3/ads_pb.js";

// gRPC's own two small services (grpc/health/v1/health.proto, grpc/reflection/v1/reflection.proto and its older twin), as descriptors: they are no part of
// Envoy's or Istio's APIs, from which the generated code comes.

const OPTIONAL = 1 as FieldDescriptorProto_Label;
const REPEATED = 3 as FieldDescriptorProto_Label;

type FieldSpec = readonly [name: string, number: number, type: string, rest?: { readonly repeated?: boolean; readonly oneof?: boolean }];

const SCALARS: Readonly<Record<string, FieldDescriptorProto_Type>> = {
  string: FieldDescriptorProto_Type.STRING,
  bytes: FieldDescriptorProto_Type.BYTES,
  int32: FieldDescriptorProto_Type.INT32,
};

function field([name, number, type, rest = {}]: FieldSpec) {
  const scalar = SCALARS[type];
  const typed =
    scalar === undefined
      ? { type: FieldDescriptorProto_Type[type.startsWith("enum ") ? "ENUM" : "MESSAGE"], typeName: type.replace("enum ", "") }
      : { type: scalar };
  return { name, number, label: rest.repeated ? REPEATED : OPTIONAL, ...typed, ...(rest.oneof && { oneofIndex: 0 }) };
}

function message(name: string, fields: readonly FieldSpec[], oneof?: string) {
  return { name, field: fields.map(field), ...(oneof && { oneofDecl: [{ name: oneof }] }) };
}

function healthFile(): FileDescriptorProto {
  const statuses = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"].map((name, number) => ({ name, number }));
  const response = message("HealthCheckResponse", [["status", 1, "enum .grpc.health.v1.HealthCheckResponse.ServingStatus"]]);
  const io = { inputType: ".grpc.health.v1.HealthCheckRequest", outputType: ".grpc.health.v1.HealthCheckResponse" };
  return create(FileDescriptorProtoSchema, {
    name: "grpc/health/v1/health.proto",
    package: "grpc.health.v1",
    syntax: "proto3",
    messageType: [message("HealthCheckRequest", [["service", 1, "string"]]), { ...response, enumType: [{ name: "ServingStatus", value: statuses }] }],
    service: [
      {
        name: "Health",
        method: [
          { name: "Check", ...io },
          { name: "Watch", ...io, serverStreaming: true },
        ],
      },
    ],
  });
}

function reflectionFile(version: "v1" | "v1alpha"): FileDescriptorProto {
  const of = (name: string) => `.grpc.reflection.${version}.${name}`;
  const one = { oneof: true };
  const request: readonly FieldSpec[] = [
    ["host", 1, "string"],
    ["file_by_filename", 3, "string", one],
    ["file_containing_symbol", 4, "string", one],
    ["file_containing_extension", 5, of("ExtensionRequest"), one],
    ["all_extension_numbers_of_type", 6, "string", one],
    ["list_services", 7, "string", one],
  ];
  const response: readonly FieldSpec[] = [
    ["valid_host", 1, "string"],
    ["original_request", 2, of("ServerReflectionRequest")],
    ["file_descriptor_response", 4, of("FileDescriptorResponse"), one],
    ["all_extension_numbers_response", 5, of("ExtensionNumberResponse"), one],
    ["list_services_response", 6, of("ListServiceResponse"), one],
    ["error_response", 7, of("ErrorResponse"), one],
  ];
  const repeated = { repeated: true };
  const both = { clientStreaming: true, serverStreaming: true };
  return create(FileDescriptorProtoSchema, {
    name: `grpc/reflection/${version}/reflection.proto`,
    package: `grpc.reflection.${version}`,
    syntax: "proto3",
    messageType: [
      message("ServerReflectionRequest", request, "message_request"),
      message("ExtensionRequest", [
        ["containing_type", 1, "string"],
        ["extension_number", 2, "int32"],
      ]),
      message("ServerReflectionResponse", response, "message_response"),
      message("FileDescriptorResponse", [["file_descriptor_proto", 1, "bytes", repeated]]),
      message("ExtensionNumberResponse", [
        ["base_type_name", 1, "string"],
        ["extension_number", 2, "int32", repeated],
      ]),
      message("ListServiceResponse", [["service", 1, of("ServiceResponse"), repeated]]),
      message("ServiceResponse", [["name", 1, "string"]]),
      message("ErrorResponse", [
        ["error_code", 1, "int32"],
        ["error_message", 2, "string"],
      ]),
    ],
    service: [
      {
        name: "ServerReflection",
        method: [{ name: "ServerReflectionInfo", inputType: of("ServerReflectionRequest"), outputType: of("ServerReflectionResponse"), ...both }],
      },
    ],
  });
}

/** Services that this server has, in the order in which they are listed. */
export const SERVICES = [
  "envoy.service.discovery.v3.AggregatedDiscoveryService",
  "grpc.health.v1.Health",
  "grpc.reflection.v1.ServerReflection",
  "grpc.reflection.v1alpha.ServerReflection",
] as const;

let registry: FileRegistry | undefined;

/** Files of all services and of everything that they name. Made when first asked for. */
export function serviceFiles(): FileRegistry {
  registry ??= createFileRegistry(
    create(FileDescriptorSetSchema, {
      file: [...withDependencies(file_envoy_service_discovery_v3_ads), healthFile(), reflectionFile("v1"), reflectionFile("v1alpha")],
    }),
  );
  return registry;
}

/** A message of these services. */
export function serviceMessage(name: string): DescMessage {
  const found = serviceFiles().getMessage(name);
  if (found === undefined) throw new Error(`no service has a message ${name}`);
  return found;
}

/** Dependencies first, each once. */
function withDependencies(file: DescFile, seen = new Set<string>()): readonly FileDescriptorProto[] {
  if (seen.has(file.proto.name)) return [];
  seen.add(file.proto.name);
  return [...file.dependencies.flatMap((dependency) => withDependencies(dependency, seen)), file.proto];
}
