/** An xDS node (envoy.config.core.v3.Node) as plain JSON-like data: what a client says of itself. */
export interface NodeMessage {
  readonly id: string;
  readonly cluster: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly locality: { readonly region: string; readonly zone: string; readonly subzone: string };
  readonly userAgentName: string;
}

/** Reads a node from its protobuf JSON (either spelling of field names). Returns the reason, as a sentence, when it is not one. */
export function readNodeMessage(json: unknown): NodeMessage | { readonly error: string } {
  if (!isRecord(json)) return { error: "the node is not a JSON object" };
  const metadata = json.metadata ?? {};
  if (!isRecord(metadata)) return { error: "field metadata of the node is not an object" };
  const locality = isRecord(json.locality) ? json.locality : {};
  return {
    id: text(json.id),
    cluster: text(json.cluster),
    metadata,
    locality: { region: text(locality.region), zone: text(locality.zone), subzone: text(locality.subZone ?? locality.sub_zone) },
    userAgentName: text(json.userAgentName ?? json.user_agent_name),
  };
}

/** Of a decoded `envoy.config.core.v3.Node`, what is read. */
export interface NodeFields {
  readonly id: string;
  readonly cluster: string;
  readonly metadata?: object | undefined;
  readonly locality?: { readonly region: string; readonly zone: string; readonly subZone: string } | undefined;
  readonly userAgentName: string;
}

/** A node that came as protobuf. */
export function nodeOfFields({ id, cluster, metadata, locality, userAgentName }: NodeFields): NodeMessage {
  const { region = "", zone = "", subZone = "" } = locality ?? {};
  return {
    id,
    cluster,
    metadata: (metadata as NodeMessage["metadata"] | undefined) ?? {},
    locality: { region, zone, subzone: subZone },
    userAgentName,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
