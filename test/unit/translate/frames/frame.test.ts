import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import { resolveProxyConfig } from "#core/model/resolve/config/proxy-config.ts";
import { meshFrame } from "#core/translate/frames/frame.ts";
import type { AccessLog } from "#proto/envoy/config/accesslog/v3/accesslog_pb.js";
import { FileAccessLogSchema } from "#proto/envoy/extensions/access_loggers/file/v3/file_pb.js";
import { httpPort, scoped, scopeOf, service } from "#test/support/scope.ts";
import { chainsOf, decodeListener, managerOf, type NodeFields, nodeView, outbound } from "../listeners/support.ts";

const API = scopeOf([scoped(service("api.shop.svc.cluster.local", { ports: [httpPort(80)] }))]);
const manager = (node: NodeFields = {}) => managerOf(chainsOf(outbound(API, node).get("0.0.0.0_80"))[0]);
const proxy = (raw: Readonly<Record<string, unknown>>): NodeFields => {
  const proxyConfig = resolveProxyConfig(raw);
  return proxyConfig ? { proxyConfig } : {};
};

test("equal settings give one frame, so that what is made with it is found again", () => {
  const { config, features } = nodeView();
  const client = { features, dialect: "istio-proxy" } as const;
  const frame = meshFrame(config, config.defaultConfig, client);
  assert.equal(meshFrame(config, structuredClone(config.defaultConfig), structuredClone(client)), frame);
  assert.notEqual(meshFrame(config, config.defaultConfig, { ...client, features: { ...features, http10: true } }), frame);
});

test("the filters of outbound HTTP, in order; metrics add theirs", () => {
  const names = (node?: NodeFields) => manager(node).httpFilters.map(({ name }) => name.replace("envoy.filters.http.", ""));
  const plain = ["istio.metadata_exchange", "grpc_stats", "istio.alpn", "fault", "cors", "router"];
  assert.deepEqual(names(), plain);
  assert.deepEqual(names({ mesh: { defaultProviders: { metrics: ["prometheus"] } } }), [...plain.slice(0, 5), "istio.stats", "router"]);
});

test("the workload's own names are in the tags, which are sorted", () => {
  const tags = manager(proxy({ tracing: { customTags: { "a.first": { literal: { value: "x" } } } } })).tracing?.customTags ?? [];
  assert.deepEqual(tags.map(({ tag }) => tag).slice(0, 2), ["a.first", "istio.authorization.dry_run.allow_policy.name"]);
  const literals = Object.fromEntries(tags.flatMap(({ tag, type }) => (type.case === "literal" ? [[tag, type.value.value]] : [])));
  assert.deepEqual(literals, {
    "a.first": "x",
    "istio.canonical_revision": "v2",
    "istio.canonical_service": "web",
    "istio.cluster_id": "Kubernetes",
    "istio.mesh_id": "unknown",
    "istio.namespace": "shop",
  });
});

test("tracing is sampled as the proxy's config says; more than everything counts as the default", () => {
  const sampling = (node?: NodeFields) => manager(node).tracing?.randomSampling?.value;
  assert.equal(sampling(), 1);
  assert.equal(sampling(proxy({ tracing: { sampling: 42.5 } })), 42.5);
  assert.equal(sampling(proxy({ tracing: { sampling: 150 } })), 1);
  assert.equal(sampling({ mesh: { enableTracing: false } }), undefined);
});

test("path normalization is the mesh's, connection settings of a proxy override it", () => {
  const seen = (node: NodeFields) => {
    const { normalizePath, mergeSlashes } = manager(node);
    return [normalizePath, mergeSlashes];
  };
  assert.deepEqual(seen({}), [true, false]);
  assert.deepEqual(seen({ mesh: { pathNormalization: { normalization: "NONE" } } }), [false, false]);
  assert.deepEqual(seen({ mesh: { pathNormalization: { normalization: "MERGE_SLASHES" } } }), [true, true]);
  assert.deepEqual(seen(proxy({ connectionSettings: { httpMergeSlashes: true } })), [true, true]);
});

const fileLog = (log: AccessLog | undefined) =>
  log?.configType.case === "typedConfig" ? fromBinary(FileAccessLogSchema, log.configType.value.value) : undefined;
const format = (mesh: Readonly<Record<string, unknown>>) => {
  const log = fileLog(manager({ mesh: { accessLogFile: "/dev/stdout", ...mesh } }).accessLog[0])?.accessLogFormat;
  return log?.case === "logFormat" ? log.value : undefined;
};

test("a log format without a line end gets one, and its extension where it needs one", () => {
  const text = format({ accessLogFormat: "%REQ_WITHOUT_QUERY(X)%" });
  const source = text?.format.case === "textFormatSource" ? text.format.value.specifier : undefined;
  assert.deepEqual(source, { case: "inlineString", value: "%REQ_WITHOUT_QUERY(X)%\n" });
  assert.equal(text?.formatters.length, 1);
});

test("a JSON format that is none is replaced by Istio's own", () => {
  const fields = (accessLogFormat: string) => {
    const found = format({ accessLogEncoding: "JSON", accessLogFormat });
    return found?.format.case === "jsonFormat" ? Object.keys(found.format.value) : [];
  };
  assert.deepEqual(fields('{"a": "%PROTOCOL%"}'), ["a"]);
  assert.equal(fields("not json").length, 24);
});

test("listeners log only what no chain takes, unless they are told not to", () => {
  const logs = (mesh: Readonly<Record<string, unknown>>) => decodeListener(outbound(API, { mesh }).get("virtualOutbound")).accessLog;
  const [log] = logs({ accessLogFile: "/dev/stdout" });
  assert.equal(log?.filter?.filterSpecifier.case, "responseFlagFilter");
  assert.equal(logs({ accessLogFile: "/dev/stdout", disableEnvoyListenerLog: true }).length, 0);
});
