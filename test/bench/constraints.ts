// Times the check of Envoy's constraints over the oracle's expected resources: `node --import tsx test/bench/constraints.ts`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DescMessage, JsonValue } from "@bufbuild/protobuf";
import { fromJson, toBinary } from "@bufbuild/protobuf";
import { violations } from "#core/envoy/constraints.ts";
import { apiRegistry, packageRoot } from "#functions/io/api.ts";
import { ClusterSchema } from "#proto/envoy/config/cluster/v3/cluster_pb.js";
import { ClusterLoadAssignmentSchema } from "#proto/envoy/config/endpoint/v3/endpoint_pb.js";
import { ListenerSchema } from "#proto/envoy/config/listener/v3/listener_pb.js";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";

const SCHEMAS: Readonly<Record<string, DescMessage>> = {
  clusters: ClusterSchema,
  endpoints: ClusterLoadAssignmentSchema,
  listeners: ListenerSchema,
  routes: RouteConfigurationSchema,
};
const ROUNDS = 6;

/** The expected resources of every case, encoded. */
function expected(type: string, schema: DescMessage): Uint8Array[] {
  const cases = join(packageRoot(), "test/oracle/cases");
  const files = readdirSync(cases, { recursive: true, encoding: "utf8" }).filter((path) => /expected\/[^/]+\.json$/.test(path));
  return files.flatMap((file) => {
    const types = JSON.parse(readFileSync(join(cases, file), "utf8")) as Record<string, Record<string, JsonValue>>;
    return Object.values(types[type] ?? {}).map((json) => toBinary(schema, fromJson(schema, json, { registry: apiRegistry() })));
  });
}

for (const [type, schema] of Object.entries(SCHEMAS)) {
  const resources = expected(type, schema);
  const broken = resources.flatMap((bytes) => violations(schema, bytes)).length;
  const times = Array.from({ length: ROUNDS }, () => {
    const start = process.cpuUsage();
    for (const bytes of resources) violations(schema, bytes);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / resources.length;
  });
  const size = resources.reduce((total, bytes) => total + bytes.length, 0) / resources.length;
  console.log(`${type}: ${resources.length} of ${Math.round(size)} B, ${Math.min(...times).toFixed(1)} µs each, ${broken} violations`);
}
