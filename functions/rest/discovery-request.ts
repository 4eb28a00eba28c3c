import type { NodeMessage } from "#core/node/message.ts";
import { readNodeMessage } from "#core/node/message.ts";
import { ServiceFailure } from "../io/errors.ts";

/** What a REST poll asks for (`DiscoveryRequest`, of which Envoy fills in these). */
export interface Poll {
  readonly node: NodeMessage;
  readonly version: string;
  readonly names: readonly string[];
  /** As the body says; "" if it does not. */
  readonly url: string;
}

/**
 * Reads a request as JSON, in snake case as Envoy writes it or in lower camel case; fields that nothing here reads are left unread, whatever they hold.
 * Throws {@link ServiceFailure} `invalid`.
 */
export function readPollJson(text: string): Poll {
  const body = parseObject(text, "the body");
  const names = body.resource_names ?? body.resourceNames ?? [];
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string"))
    throw new ServiceFailure("invalid", "resource_names must be a list of text");
  return { node: readNode(body.node), version: textOf(body.version_info ?? body.versionInfo), names, url: textOf(body.type_url ?? body.typeUrl) };
}

/** Reads `?node=`: an xDS Node as JSON, or only its id. */
export function readNodeParameter(value: string | undefined): NodeMessage {
  if (value === undefined || value === "") throw new ServiceFailure("invalid", "?node= must give the node: its id, or an xDS Node as JSON");
  return readNode(value.startsWith("{") ? parseObject(value, "?node=") : { id: value });
}

function readNode(json: unknown): NodeMessage {
  if (json === undefined) throw new ServiceFailure("invalid", "the request must carry a node");
  const node = readNodeMessage(json);
  if ("error" in node) throw new ServiceFailure("invalid", node.error);
  return node;
}

function parseObject(text: string, what: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ServiceFailure("invalid", `${what} is not JSON`, { cause });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ServiceFailure("invalid", `${what} is not a JSON object`);
  return value as Readonly<Record<string, unknown>>;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
