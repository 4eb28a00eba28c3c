import { closeMessage, writeText } from "#core/lib/protobuf/by-hand.ts";
import { encode, encodeBy } from "#core/lib/protobuf/encode.ts";
import { fragment } from "#core/lib/protobuf/fragment.ts";
import { RouteActionSchema, RouteSchema } from "#proto/envoy/config/route/v3/route_components_pb.js";
import type { RouteFragment } from "./route.ts";
import { type ForwardFields, forwarding } from "./route-action.ts";
import { type RouteMatchFields, routeMatch } from "./route-match.ts";

/** What routes have in common that forward to one cluster each. */
export interface ServiceRouteFields {
  readonly name: string;
  readonly match: RouteMatchFields;
  readonly action: Omit<ForwardFields, "targets">;
}

/** Makes a route: the cluster that it forwards to, and the name of the operation in traces. */
export type ServiceRoutes = (cluster: string, operation: string) => RouteFragment;

/**
 * Routes that differ in two names alone, as all services without a VirtualService have them: they are written by hand (see by-hand.ts) around what they have
 * in common, which is encoded once. A test compares with what the generated types make.
 */
export function serviceRoutes({ name, match, action }: ServiceRouteFields): ServiceRoutes {
  // Route: match = 1, route = 2, decorator = 5, name = 14. RouteAction: cluster = 1, then the rest. Decorator: operation = 1.
  const first = encode(RouteSchema, { match: routeMatch(match) });
  const rest = encode(RouteActionSchema, forwarding(action));
  const last = encode(RouteSchema, { name });
  return (cluster, operation) =>
    fragment(
      RouteSchema,
      encodeBy((writer) => {
        writer.raw(last);
        const decorator = writer.size;
        writeText(writer, operation, 0x0a);
        closeMessage(writer, decorator, 0x2a);
        const forward = writer.size;
        writer.raw(rest);
        writeText(writer, cluster, 0x0a);
        closeMessage(writer, forward, 0x12);
        writer.raw(first);
      }),
    );
}
