import { fromBinary, type JsonObject, toJson } from "@bufbuild/protobuf";
import { AnySchema, anyUnpack } from "@bufbuild/protobuf/wkt";
import type { Entry } from "#core/edition/view.ts";
import { EMPTY_ASSIGNMENT, type Item } from "#core/xds/offer.ts";
import type { PollAnswer } from "#core/xds/poll.ts";
import type { Serving } from "#core/xds/serving.ts";
import { apiRegistry } from "../io/api.ts";
import { type PolledSource, withPolledSources } from "./polled-sources.ts";

/** What `almanac bootstrap envoy --ads rest` writes. */
const SOURCE: PolledSource = { cluster: "almanac", refreshMs: 5_000 };

/** Resources as JSON text, made once for each; entries live as long as some edition names them. */
const transcoded = new WeakMap<Entry, string>();

/** A `DiscoveryResponse` in protobuf JSON, field names as in the protocol's files (as Envoy's own REST server examples have them). */
export function responseJson(url: string, { version, items }: PollAnswer, { blobs }: Serving): string {
  const resources = items.map((item) => resourceJson(url, item, blobs));
  const head = JSON.stringify({ version_info: version, type_url: url, control_plane: { identifier: "almanac" } }).slice(0, -1);
  return `${head},"resources":[${resources.join(",")}]}`;
}

function resourceJson(url: string, { name, entry }: Item, blobs: Serving["blobs"]): string {
  if (entry === EMPTY_ASSIGNMENT) return JSON.stringify({ "@type": url, cluster_name: name });
  const known = transcoded.get(entry);
  if (known !== undefined) return known;
  const text = anyJson(blobs.bytes(entry.digest));
  transcoded.set(entry, text);
  return text;
}

function anyJson(bytes: Uint8Array): string {
  const any = fromBinary(AnySchema, bytes);
  const message = anyUnpack(any, apiRegistry());
  const schema = message && apiRegistry().getMessage(message.$typeName);
  if (message === undefined || schema === undefined) throw new Error(`${any.typeUrl} is no message of the API`);
  const json = toJson(schema, message, { registry: apiRegistry(), useProtoFieldName: true }) as JsonObject;
  return JSON.stringify({ "@type": any.typeUrl, ...(withPolledSources(json, SOURCE) as JsonObject) });
}
