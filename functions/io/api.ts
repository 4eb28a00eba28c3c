import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFileRegistry, type FileRegistry, fromBinary, type JsonValue, toJson } from "@bufbuild/protobuf";
import { AnySchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

let registry: FileRegistry | undefined;

/** Every message of Envoy's and Istio's APIs (`proto/api.binpb`), for values whose type is known only at run time. Read once, when first asked for. */
export function apiRegistry(): FileRegistry {
  registry ??= createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(join(packageRoot(), "proto/api.binpb"))));
  return registry;
}

/** Canonical protobuf JSON of a resource that is stored as a complete `google.protobuf.Any`, without its `@type`. */
export function resourceJson(any: Uint8Array): JsonValue {
  const { typeUrl, value } = fromBinary(AnySchema, any);
  const schema = apiRegistry().getMessage(typeUrl.slice(typeUrl.lastIndexOf("/") + 1));
  if (schema === undefined) throw new Error(`proto/api.binpb holds no message for ${typeUrl}`);
  return toJson(schema, fromBinary(schema, value), { registry: apiRegistry() });
}

/** The folder of package.json, from the sources as well as from a bundle. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "proto/api.binpb"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("proto/api.binpb is missing beside the program");
    folder = parent;
  }
  return folder;
}
