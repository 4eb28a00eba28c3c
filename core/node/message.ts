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
  const { metadata = null, locality: place = null } = json;
  const texts = { id: json.id, cluster: json.cluster, userAgentName: json.userAgentName ?? json.user_agent_name };
  const wrong = [...nonObjects({ metadata, locality: place }), ...nonTexts(texts, ""), ...nonTexts(isRecord(place) ? place : {}, "locality.")];
  if (wrong.length > 0) return { error: `field ${wrong[0]}` };
  const locality = isRecord(place) ? place : {};
  return {
    id: text(json.id),
    cluster: text(json.cluster),
    metadata: isRecord(metadata) ? metadata : {},
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

/** A field that is null counts as absent (protobuf JSON). */
function nonObjects(fields: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === null || isRecord(value) ? [] : [`${name} of the node is no object: ${shown(value)}`],
  );
}

function nonTexts(fields: Readonly<Record<string, unknown>>, path: string): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null || typeof value === "string" ? [] : [`${path}${name} of the node is no text: ${shown(value)}`],
  );
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? typeof value).slice(0, 40);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
