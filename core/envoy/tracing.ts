import type { MessageInitShape } from "@bufbuild/protobuf";
import { memoize } from "#core/lib/memo.ts";
import { encodeFragment } from "#core/lib/protobuf/encode.ts";
import type { HttpConnectionManager_TracingSchema } from "#proto/envoy/extensions/filters/network/http_connection_manager/v3/http_connection_manager_pb.js";
import { CustomTagSchema } from "#proto/envoy/type/tracing/v3/custom_tag_pb.js";

/** A tag that spans carry. */
export type Tag =
  | { readonly kind: "literal"; readonly tag: string; readonly value: string }
  | { readonly kind: "environment"; readonly tag: string; readonly name: string; readonly defaultValue: string }
  | { readonly kind: "header"; readonly tag: string; readonly name: string; readonly defaultValue: string }
  /** Dynamic metadata of the request, written by a filter. */
  | { readonly kind: "metadata"; readonly tag: string; readonly filter: string; readonly key: string };

export interface TracingFields {
  /** Percent of requests that are traced when nobody asked for it. */
  readonly randomSampling: number;
  readonly tags: readonly Tag[];
  readonly maxPathTagLength?: number;
}

export type Tracing = MessageInitShape<typeof HttpConnectionManager_TracingSchema>;

export function tracing(fields: TracingFields): Tracing {
  return {
    clientSampling: { value: 100 },
    randomSampling: { value: fields.randomSampling },
    overallSampling: { value: 100 },
    ...(fields.maxPathTagLength && { maxPathTagLength: fields.maxPathTagLength }),
    customTags: fields.tags.map((tag) => (tag.kind === "literal" ? customTag(tag) : encodedTag(tag))),
  };
}

/** All but literals are the same for all workloads. */
const encodedTag = memoize((tag: Tag) => encodeFragment(CustomTagSchema, customTag(tag)));

function customTag(tag: Tag): MessageInitShape<typeof CustomTagSchema> {
  switch (tag.kind) {
    case "literal":
      return { tag: tag.tag, type: { case: "literal", value: { value: tag.value } } };
    case "environment":
      return { tag: tag.tag, type: { case: "environment", value: { name: tag.name, defaultValue: tag.defaultValue } } };
    case "header":
      return { tag: tag.tag, type: { case: "requestHeader", value: { name: tag.name, defaultValue: tag.defaultValue } } };
    case "metadata":
      return {
        tag: tag.tag,
        type: {
          case: "metadata",
          value: {
            kind: { kind: { case: "request", value: {} } },
            metadataKey: { key: tag.filter, path: [{ segment: { case: "key", value: tag.key } }] },
          },
        },
      };
  }
}
