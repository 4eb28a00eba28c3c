import { encodeAny } from "#core/lib/protobuf/encode.ts";
import { NameTableSchema } from "#proto/dns/proto/nds_pb.js";

/** What the proxy's agent answers for one name (istio `pkg/dns/proto/nds.proto`). */
export interface NameInfo {
  readonly ips: readonly string[];
  readonly registry: string;
  /** Kubernetes names only: the agent makes the shorter forms of these two itself. */
  readonly shortname: string;
  readonly namespace: string;
}

/** A complete Any of Istio's name table. */
export function encodeNameTable(table: ReadonlyMap<string, NameInfo>): Uint8Array {
  return encodeAny(NameTableSchema, { table: Object.fromEntries([...table].map(([host, info]) => [host, { ...info, ips: [...info.ips] }])) });
}
