import { present } from "#core/lib/present.ts";
import type { HttpMatch, StringMatch } from "#core/model/virtual-service.ts";
import type { HTTPMatchRequest, StringMatch as StringMatchMessage } from "#proto/networking/v1alpha3/virtual_service_pb.js";

/** `{}` asks for presence. */
export function stringMatchOf(message: StringMatchMessage): StringMatch {
  const { matchType } = message;
  return matchType.case === undefined ? { kind: "present" } : { kind: matchType.case, value: matchType.value };
}

function optional(message: StringMatchMessage | undefined): StringMatch | undefined {
  return message === undefined ? undefined : stringMatchOf(message);
}

function stringMatches(messages: Readonly<Record<string, StringMatchMessage>>): Readonly<Record<string, StringMatch>> {
  return Object.fromEntries(Object.entries(messages).map(([name, message]) => [name, stringMatchOf(message)]));
}

/** Projects one match of an HTTP route; gateway names are already in full. */
export function httpMatchOf(message: HTTPMatchRequest): HttpMatch {
  return present({
    name: message.name,
    uri: optional(message.uri),
    scheme: optional(message.scheme),
    method: optional(message.method),
    authority: optional(message.authority),
    headers: stringMatches(message.headers),
    withoutHeaders: stringMatches(message.withoutHeaders),
    queryParams: stringMatches(message.queryParams),
    ignoreUriCase: message.ignoreUriCase,
    port: message.port,
    sourceLabels: message.sourceLabels,
    sourceNamespace: message.sourceNamespace,
    gateways: message.gateways,
    statPrefix: message.statPrefix,
  });
}
