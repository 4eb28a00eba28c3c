import { create, type DescFile, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { codesOf } from "../io/errors.ts";
import { SERVICES, serviceFiles, serviceMessage } from "./service-descriptors.ts";

/** Answers one request of gRPC server reflection, of either version: the same messages under two names. Throws for bytes that are no request. */
export function reflect(version: "v1" | "v1alpha", bytes: Uint8Array): Uint8Array {
  const schema = serviceMessage(`grpc.reflection.${version}.ServerReflectionRequest`);
  const request = fromBinary(schema, bytes) as ReflectionRequest;
  const response = serviceMessage(`grpc.reflection.${version}.ServerReflectionResponse`);
  return toBinary(response, create(response, { validHost: request.host, originalRequest: request, messageResponse: answer(request.messageRequest) }));
}

interface ReflectionRequest extends Message {
  readonly host: string;
  readonly messageRequest: { readonly case: string | undefined; readonly value?: unknown };
}

function answer({ case: kind, value }: ReflectionRequest["messageRequest"]) {
  switch (kind) {
    case "listServices":
      return { case: "listServicesResponse", value: { service: SERVICES.map((name) => ({ name })) } };
    case "fileByFilename":
      return found(serviceFiles().getFile(String(value)), String(value));
    case "fileContainingSymbol":
      return found(fileOf(String(value)), String(value));
    default:
      return failed("unserved", "this server answers lists of services, files by name and files by symbol");
  }
}

/** The file of a service, method or message. */
function fileOf(symbol: string): DescFile | undefined {
  const files = serviceFiles();
  const parent = symbol.slice(0, symbol.lastIndexOf("."));
  return (files.get(symbol) ?? files.get(parent))?.file;
}

function found(file: DescFile | undefined, wanted: string) {
  if (file === undefined) return failed("not-found", `${wanted} is not known here`);
  return {
    case: "fileDescriptorResponse",
    value: { fileDescriptorProto: closure(file).map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto)) },
  };
}

function failed(kind: "not-found" | "unserved", errorMessage: string) {
  return { case: "errorResponse", value: { errorCode: codesOf(kind).grpc, errorMessage } };
}

/** The file and all that it depends on: a client then asks once. */
function closure(file: DescFile): readonly DescFile[] {
  const files = new Map<string, DescFile>();
  const add = (one: DescFile): void => {
    if (files.has(one.name)) return;
    files.set(one.name, one);
    one.dependencies.forEach(add);
  };
  add(file);
  return [...files.values()];
}
