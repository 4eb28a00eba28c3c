import { type DescField, type DescMessage, getOption, hasOption, type Registry } from "@bufbuild/protobuf";
import { type JsonProblem, messageFromJson } from "#core/lib/protobuf/from-json.ts";
import { EnvoyFilter_ApplyTo as ApplyTo, type EnvoyFilter_EnvoyConfigObjectPatch as Patch } from "#proto/networking/v1alpha3/envoy_filter_pb.js";
import { file_status, PackageVersionStatus } from "#proto/udpa/annotations/status_pb.js";
import { isContribType } from "./contrib-types.ts";
import type { Findings } from "./findings.ts";

/** What a patch is a part of (istio `pkg/config/xds` BuildXDSObjectFromStruct). */
const MESSAGES: Readonly<Partial<Record<ApplyTo, string>>> = {
  [ApplyTo.CLUSTER]: "envoy.config.cluster.v3.Cluster",
  [ApplyTo.LISTENER]: "envoy.config.listener.v3.Listener",
  [ApplyTo.ROUTE_CONFIGURATION]: "envoy.config.route.v3.RouteConfiguration",
  [ApplyTo.FILTER_CHAIN]: "envoy.config.listener.v3.FilterChain",
  [ApplyTo.HTTP_FILTER]: "envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter",
  [ApplyTo.NETWORK_FILTER]: "envoy.config.listener.v3.Filter",
  [ApplyTo.VIRTUAL_HOST]: "envoy.config.route.v3.VirtualHost",
  [ApplyTo.HTTP_ROUTE]: "envoy.config.route.v3.Route",
  [ApplyTo.EXTENSION_CONFIG]: "envoy.config.core.v3.TypedExtensionConfig",
  [ApplyTo.BOOTSTRAP]: "envoy.config.bootstrap.v3.Bootstrap",
  [ApplyTo.LISTENER_FILTER]: "envoy.config.listener.v3.ListenerFilter",
};

/** Is a patch's value a message of Envoy's? Fields that no version known here has are worth a warning, since the proxy may be newer. */
export function checkPatchValue({ applyTo, patch }: Patch, path: string, findings: Findings, types: Registry | undefined): void {
  if (patch?.value === undefined) return;
  const name = MESSAGES[applyTo];
  if (name === undefined) {
    findings.error(path, `${ApplyTo[applyTo] ?? applyTo} can't be patched`);
    return;
  }
  const schema = types?.getMessage(name);
  if (types === undefined || schema === undefined) return;
  const problems: JsonProblem[] = [];
  const unknown: JsonProblem[] = [];
  const message = messageFromJson(schema, patch.value, problems, { types, unknown });
  for (const problem of problems) {
    if (!isContribType(problem.message)) findings.error(`${path}.${problem.path}`, problem.message);
  }
  if (problems.length > 0) return;
  for (const problem of unknown) findings.warning(`${path}.${problem.path}`, problem.message);
  checkParts(schema, message as unknown as Fields, path, { findings, types });
}

type Fields = Readonly<Record<string, unknown>>;

interface Context {
  readonly findings: Findings;
  readonly types: Registry;
}

/** Walks a message without its lists, as Istio does, for what Envoy is about to forget. */
function checkParts(schema: DescMessage, message: Fields, path: string, context: Context): void {
  const names = new Set(schema.fields.filter((field) => fieldValue(field, message) !== undefined).map((field) => field.jsonName));
  const typed = schema.fields.some((field) => field.jsonName === "typedConfig");
  if (typed && !names.has("typedConfig") && !names.has("configDiscovery")) {
    context.findings.warning(path, `a filter found by its name alone ("${String(message.name ?? "")}"): give it a typed_config`);
  }
  for (const field of schema.fields) {
    const value = field.fieldKind === "message" ? fieldValue(field, message) : undefined;
    if (field.fieldKind !== "message" || typeof value !== "object" || value === null) continue;
    const at = `${path}.${field.jsonName}`;
    if (field.message.typeName === "google.protobuf.Any") checkFrozen(String((value as Fields).typeUrl ?? ""), at, context);
    else if (!field.message.typeName.startsWith("google.protobuf.")) checkParts(field.message, value as Fields, at, context);
  }
}

function fieldValue(field: DescField, message: Fields): unknown {
  if (field.oneof === undefined) return message[field.localName];
  const chosen = message[field.oneof.localName] as { readonly case?: string; readonly value?: unknown } | undefined;
  return chosen?.case === field.localName ? chosen.value : undefined;
}

/** Types of an API version that is no longer developed, which Istio's validation does not know any more. */
function checkFrozen(typeUrl: string, path: string, { findings, types }: Context): void {
  const file = types.getMessage(typeUrl.slice(typeUrl.lastIndexOf("/") + 1))?.file;
  if (file === undefined || !hasOption(file, file_status)) return;
  if (getOption(file, file_status).packageVersionStatus === PackageVersionStatus.FROZEN)
    findings.error(path, `${typeUrl} is of an API version that is gone`);
}
