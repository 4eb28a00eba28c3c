import type { WireView } from "#core/lib/protobuf/wire-view.ts";
import { HeaderValueOptionSchema, HeaderValueSchema } from "#proto/envoy/config/core/v3/base_pb.js";
import {
  RetryPolicy_RetryBackOffSchema,
  RouteActionSchema,
  RouteSchema,
  VirtualHostSchema,
  WeightedCluster_ClusterWeightSchema,
  WeightedClusterSchema,
} from "#proto/envoy/config/route/v3/route_components_pb.js";
import { RouteConfigurationSchema } from "#proto/envoy/config/route/v3/route_pb.js";
import type { MessageRule } from "./message-rule.ts";
import { durationOf, MOST_UINT32 } from "./message-rule.ts";
import type { Violation } from "./violation.ts";

/** Rules of Envoy's route configuration (`source/common/router/config_impl.cc`, `header_parser.cc`). */
export const ROUTE_RULES: readonly MessageRule[] = [
  [RouteConfigurationSchema, both(uniqueDomains, modifiableHeaders(RouteConfigurationSchema.field))],
  [VirtualHostSchema, modifiableHeaders(VirtualHostSchema.field)],
  [RouteSchema, modifiableHeaders(RouteSchema.field)],
  [WeightedCluster_ClusterWeightSchema, modifiableHeaders(WeightedCluster_ClusterWeightSchema.field)],
  [WeightedClusterSchema, weightSum],
  [RouteActionSchema, oneRewrite],
  [RetryPolicy_RetryBackOffSchema, backOffInterval],
];

/** A domain belongs to one virtual host, whatever its letters' case. */
function uniqueDomains(message: WireView): readonly Violation[] {
  const hosts = message.messages(RouteConfigurationSchema.field.virtualHosts.number);
  const hashes = hosts.flatMap((host) => host.hashes(VirtualHostSchema.field.domains.number));
  if (new Set(hashes).size === hashes.length) return [];
  const found: Violation[] = [];
  const seen = new Set<string>();
  hosts.forEach((host, index) => {
    host.texts(VirtualHostSchema.field.domains.number).forEach((domain, position) => {
      const key = domain.toLowerCase();
      if (seen.has(key)) found.push({ path: `virtualHosts[${index}].domains[${position}]`, rule: `must be the only domain ${domain}` });
      seen.add(key);
    });
  });
  return found;
}

/** The fields of whatever changes headers; all of them have these. */
interface HeaderFields {
  readonly requestHeadersToAdd: { readonly number: number };
  readonly requestHeadersToRemove: { readonly number: number };
  readonly responseHeadersToAdd: { readonly number: number };
  readonly responseHeadersToRemove: { readonly number: number };
}

type Rule = (message: WireView) => readonly Violation[];

function both(one: Rule, other: Rule): Rule {
  return (message) => [...one(message), ...other(message)];
}

/** Pseudo-headers and `host` can't be set or removed as headers; rewrites are there for that. */
function modifiableHeaders(fields: HeaderFields): Rule {
  const added = ["requestHeadersToAdd", "responseHeadersToAdd"] as const;
  const removed = ["requestHeadersToRemove", "responseHeadersToRemove"] as const;
  const numbers = [...added, ...removed].map((name) => fields[name].number);
  return (message) => {
    if (message.count(numbers) === 0) return [];
    return [
      ...added.flatMap((name) => complaints(name, message.messages(fields[name].number).map(addedName))),
      ...removed.flatMap((name) => complaints(name, message.texts(fields[name].number))),
    ];
  };
}

function addedName(option: WireView): string {
  return option.message(HeaderValueOptionSchema.field.header.number)?.text(HeaderValueSchema.field.key.number) ?? "";
}

function complaints(path: string, headers: readonly string[]): readonly Violation[] {
  return headers.flatMap((header, index) =>
    isFixed(header) ? [{ path: `${path}[${index}]`, rule: "must not change host or a header that starts with ':'" }] : [],
  );
}

function isFixed(header: string): boolean {
  return header.startsWith(":") || header.toLowerCase() === "host";
}

function weightSum(message: WireView): readonly Violation[] {
  const clusters = message.messages(WeightedClusterSchema.field.clusters.number);
  if (clusters.length === 0) return [];
  const sum = clusters.reduce((total, cluster) => total + (cluster.wrapped(WeightedCluster_ClusterWeightSchema.field.weight.number) ?? 0), 0);
  if (sum > 0 && sum <= MOST_UINT32) return [];
  return [{ path: "clusters", rule: `must have weights whose sum is 1 to ${MOST_UINT32}` }];
}

const REWRITES = [RouteActionSchema.field.prefixRewrite, RouteActionSchema.field.regexRewrite, RouteActionSchema.field.pathRewritePolicy].map(
  ({ number }) => number,
);

function oneRewrite(message: WireView): readonly Violation[] {
  return message.count(REWRITES) < 2 ? [] : [{ path: "", rule: "must have only one of prefixRewrite, regexRewrite and pathRewritePolicy" }];
}

function backOffInterval(message: WireView): readonly Violation[] {
  const { baseInterval, maxInterval } = RetryPolicy_RetryBackOffSchema.field;
  const [base, most] = [durationOf(message.message(baseInterval.number)), durationOf(message.message(maxInterval.number))];
  return base !== undefined && most !== undefined && most < base ? [{ path: "maxInterval", rule: "must be at least baseInterval" }] : [];
}
