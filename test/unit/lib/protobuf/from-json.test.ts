import assert from "node:assert/strict";
import { test } from "node:test";
import { type DescMessage, fromBinary, toJson } from "@bufbuild/protobuf";
import { type JsonProblem, messageFromJson } from "#core/lib/protobuf/from-json.ts";
import { apiRegistry } from "#functions/io/api.ts";
import { HttpFilterSchema } from "#proto/envoy/extensions/filters/network/http_connection_manager/v3/http_connection_manager_pb.js";
import { DestinationRuleSchema } from "#proto/networking/v1alpha3/destination_rule_pb.js";
import { EnvoyFilterSchema } from "#proto/networking/v1alpha3/envoy_filter_pb.js";
import { HTTPRouteSchema } from "#proto/networking/v1alpha3/virtual_service_pb.js";

function read<D extends DescMessage>(schema: D, json: unknown): { readonly json: unknown; readonly problems: readonly string[] } {
  const problems: JsonProblem[] = [];
  const message = messageFromJson(schema, json, problems);
  return { json: problems.length > 0 ? undefined : toJson(schema, message), problems: problems.map(({ path }) => path) };
}

test("durations are Go's", () => {
  assert.deepEqual(read(HTTPRouteSchema, { timeout: "1h1m0.5s" }).json, { timeout: "3660.500s" });
  assert.deepEqual(read(HTTPRouteSchema, { timeout: "90" }).problems, ["timeout"]);
  assert.deepEqual(read(HTTPRouteSchema, { timeout: 90 }).problems, ["timeout"]);
});

test("unknown fields are ignored, null means absent, both spellings count and lowerCamelCase wins", () => {
  assert.deepEqual(read(HTTPRouteSchema, { nope: 1, name: null, cors_policy: { max_age: "1s" } }).json, { corsPolicy: { maxAge: "1s" } });
  assert.deepEqual(read(HTTPRouteSchema, { mirror_percent: 1, mirrorPercent: 2 }).json, { mirrorPercent: 2 });
});

test("the last field of a oneof wins, in the order of their declaration", () => {
  assert.deepEqual(read(HTTPRouteSchema, { match: [{ uri: { prefix: "/b", exact: "/a" } }] }).json, { match: [{ uri: { prefix: "/b" } }] });
});

test("numbers may be quoted; what does not fit is a problem at its path", () => {
  assert.deepEqual(read(HTTPRouteSchema, { retries: { attempts: "3" } }).json, { retries: { attempts: 3 } });
  for (const attempts of [3.5, "03", "", true, 3e9, {}])
    assert.deepEqual(read(HTTPRouteSchema, { retries: { attempts } }).problems, ["retries.attempts"]);
  assert.deepEqual(read(HTTPRouteSchema, { route: [{}, { destination: { host: 5 } }] }).problems, ["route[1].destination.host"]);
  assert.deepEqual(read(HTTPRouteSchema, { route: {} }).problems, ["route"]);
});

test("enums are names or numbers, unknown names are problems", () => {
  assert.deepEqual(read(DestinationRuleSchema, { trafficPolicy: { tls: { mode: 1 } } }).json, { trafficPolicy: { tls: { mode: "SIMPLE" } } });
  assert.deepEqual(read(DestinationRuleSchema, { trafficPolicy: { tls: { mode: 2 ** 31 } } }).problems, ["trafficPolicy.tls.mode"]);
  assert.deepEqual(read(DestinationRuleSchema, { trafficPolicy: { tls: { mode: "simple" } } }).problems, ["trafficPolicy.tls.mode"]);
});

test("64-bit numbers, wrappers, maps and structs have the form of generated types", () => {
  const hash = { trafficPolicy: { loadBalancer: { consistentHash: { maglev: { tableSize: "65537" } } } } };
  assert.deepEqual(read(DestinationRuleSchema, hash).json, hash);
  assert.deepEqual(read(DestinationRuleSchema, { subsets: [{ labels: { a: "b" } }] }).json, { subsets: [{ labels: { a: "b" } }] });
  const patch = { configPatches: [{ patch: { value: { a: [1, null, { b: true }] } } }] };
  assert.deepEqual(read(EnvoyFilterSchema, patch).json, patch);
});

test("a null within a list is an empty message", () => {
  assert.deepEqual(read(HTTPRouteSchema, { match: [null] }).json, { match: [{}] });
});

test("a message of any type is found in the registry, its mistakes have its path", () => {
  const types = apiRegistry();
  const problems: JsonProblem[] = [];
  const unknown: JsonProblem[] = [];
  const url = "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router";
  const typedConfig = { "@type": url, suppress_envoy_headers: true, nope: 1 };
  const filter = messageFromJson(HttpFilterSchema, { name: "r", typedConfig }, problems, { types, unknown });
  assert.deepEqual(problems, []);
  assert.deepEqual(
    unknown.map(({ path }) => path),
    ["typedConfig.nope"],
  );
  assert.equal(filter.configType.case, "typedConfig");
  const router = types.getMessage("envoy.extensions.filters.http.router.v3.Router") as DescMessage;
  assert.deepEqual(toJson(router, fromBinary(router, filter.configType.value.value)), { suppressEnvoyHeaders: true });
  messageFromJson(HttpFilterSchema, { typedConfig: { "@type": "x/y.Z" } }, problems, { types });
  assert.deepEqual(
    problems.map(({ path }) => path),
    ["typedConfig.@type"],
  );
});
