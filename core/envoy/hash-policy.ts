import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RouteAction_HashPolicySchema } from "#proto/envoy/config/route/v3/route_components_pb.js";
import { durationMessage } from "./duration.ts";

/** What of a request decides its place on a consistent-hash ring. */
export type HashKey =
  | { readonly kind: "header"; readonly name: string }
  | {
      readonly kind: "cookie";
      readonly name: string;
      readonly path: string;
      /** Absent: the cookie is never made, only read. Zero: a session cookie. */
      readonly ttl?: { readonly seconds: number; readonly nanos: number };
      readonly attributes: readonly { readonly name: string; readonly value: string }[];
    }
  | { readonly kind: "source-ip"; readonly enabled: boolean }
  | { readonly kind: "query"; readonly name: string };

export type HashPolicyMessage = MessageInitShape<typeof RouteAction_HashPolicySchema>;

export function hashPolicy(key: HashKey): HashPolicyMessage {
  switch (key.kind) {
    case "header":
      return { policySpecifier: { case: "header", value: { headerName: key.name } } };
    case "cookie":
      return {
        policySpecifier: {
          case: "cookie",
          value: {
            name: key.name,
            path: key.path,
            ...(key.ttl === undefined ? {} : { ttl: durationMessage(key.ttl) }),
            attributes: key.attributes.map(({ name, value }) => ({ name, value })),
          },
        },
      };
    case "source-ip":
      return { policySpecifier: { case: "connectionProperties", value: { sourceIp: key.enabled } } };
    case "query":
      return { policySpecifier: { case: "queryParameter", value: { name: key.name } } };
  }
}
