import type { MessageInitShape } from "@bufbuild/protobuf";
import { encodeFragment } from "#core/lib/protobuf/encode.ts";
import type { Fragment } from "#core/lib/protobuf/fragment.ts";
import { RouteSchema } from "#proto/envoy/config/route/v3/route_components_pb.js";
import type { AnyMessage } from "./any.ts";
import { type HeaderEdits, headerValueOptions } from "./header-edits.ts";
import type { RouteActionMessage } from "./route-action.ts";
import { type RouteMatchFields, routeMatch } from "./route-match.ts";

export type RouteMessage = MessageInitShape<typeof RouteSchema>;

export interface RouteFields {
  readonly name: string;
  readonly match: RouteMatchFields;
  /** Absent: a route that Envoy refuses (Istio sends it for a redirect status that Envoy does not have). */
  readonly action?: RouteActionMessage;
  /** The object that the route was made of, as Istio's telemetry names it; "" if none. */
  readonly config: string;
  /** Name of the operation in traces. */
  readonly operation: string;
  readonly statPrefix: string;
  readonly requestHeaders: HeaderEdits;
  readonly responseHeaders: HeaderEdits;
  /** Settings of HTTP filters for this route, by filter name. */
  readonly filters: Readonly<Record<string, AnyMessage>>;
}

export function route(fields: RouteFields): RouteMessage {
  return {
    name: fields.name,
    match: routeMatch(fields.match),
    ...(fields.action === undefined ? {} : { action: fields.action }),
    ...(fields.config === "" ? {} : { metadata: { filterMetadata: { istio: { config: fields.config } } } }),
    ...(fields.operation === "" ? {} : { decorator: { operation: fields.operation } }),
    typedPerFilterConfig: { ...fields.filters },
    requestHeadersToAdd: headerValueOptions(fields.requestHeaders.write),
    requestHeadersToRemove: [...fields.requestHeaders.remove],
    responseHeadersToAdd: headerValueOptions(fields.responseHeaders.write),
    responseHeadersToRemove: [...fields.responseHeaders.remove],
    statPrefix: fields.statPrefix,
  };
}

export type RouteFragment = Fragment<typeof RouteSchema>;

/** Encodes a route, to stand in any number of virtual hosts. */
export function encodeRoute(message: RouteMessage): RouteFragment {
  return encodeFragment(RouteSchema, message);
}
