import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { answerPoll, type PollAnswer } from "#core/xds/poll.ts";
import { type ResourceRule, ruleOf } from "#core/xds/resource-rules.ts";
import type { EditionSource, Placer, Serving } from "#core/xds/serving.ts";
import { ServiceFailure } from "../io/errors.ts";
import { type Poll, readNodeParameter, readPollJson } from "./discovery-request.ts";
import { responseJson } from "./discovery-response.ts";
import { servingOf } from "./place.ts";
import { isProtobuf, PROTOBUF, readPollProtobuf, responseProtobuf } from "./protobuf-poll.ts";

/** The paths that Envoy polls (google.api.http options of the Fetch methods), by what follows `/v3/discovery:`. */
const PATHS: Readonly<Record<string, ResourceRule>> = {
  clusters: ruleOf("clusters"),
  endpoints: ruleOf("endpoints"),
  listeners: ruleOf("listeners"),
  routes: ruleOf("routes"),
  secrets: ruleOf("secrets"),
  extension_configs: ruleOf("extensions"),
};

const MAX_BODY_BYTES = 16 * 1024 * 1024;

export interface RestContext {
  readonly placer: Placer;
  readonly source: EditionSource;
}

/** REST discovery: `POST` as Envoy polls (JSON; protobuf by content type), `GET ?node=&name=` for people and caches; secrets never by GET. */
export function discoveryApp({ placer, source }: RestContext): Hono {
  const app = new Hono();
  const limit = bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: () => {
      throw new ServiceFailure("too-large", `a request holds at most ${MAX_BODY_BYTES} bytes`);
    },
  });
  app.post("/:call{discovery:[a-z_-]+}", limit, async (c) => {
    const rule = ruleOfCall(c.req.param("call"));
    const poll = await readPoll(c);
    if (poll.url !== "" && poll.url !== rule.url)
      throw new ServiceFailure("invalid", `this path serves ${rule.url}, and the body asks for ${poll.url}`);
    return answer(c, rule, poll, await servingOf(poll.node, placer, source));
  });
  app.get("/:call{discovery:[a-z_-]+}", async (c) => {
    const rule = ruleOfCall(c.req.param("call"));
    if (rule.type === "secrets") throw new ServiceFailure("not-found", "secrets are served by POST only");
    const version = (c.req.header("if-none-match") ?? "").replaceAll('"', "");
    const poll = { node: readNodeParameter(c.req.query("node")), names: c.req.queries("name") ?? [], version, url: rule.url };
    return answer(c, rule, poll, await servingOf(poll.node, placer, source));
  });
  app.all("/:call{discovery:[a-z_-]+}", () => {
    throw new ServiceFailure("wrong-method", "discovery is by POST, or by GET");
  });
  return app;
}

async function readPoll(c: Context): Promise<Poll> {
  return isProtobuf(c.req.header("content-type")) ? readPollProtobuf(new Uint8Array(await c.req.arrayBuffer())) : readPollJson(await c.req.text());
}

function ruleOfCall(call: string): ResourceRule {
  const name = call.slice("discovery:".length);
  const rule = Object.hasOwn(PATHS, name) ? PATHS[name] : undefined;
  if (rule === undefined) throw new ServiceFailure("not-found", `no type is served at /v3/${call}; there are ${Object.keys(PATHS).join(", ")}`);
  return rule;
}

/** Unchanged is 304 without a body, at once: Envoy counts any other status than 200 as a failed update. */
function answer(c: Context, rule: ResourceRule, poll: Poll, serving: Serving): Response {
  const found: PollAnswer = answerPoll(serving.view, rule, poll.names);
  const headers = { ETag: `"${found.version}"`, "Cache-Control": "no-cache" };
  if (poll.version !== "" && poll.version === found.version) return c.body(null, 304, headers);
  if (!isProtobuf(c.req.header("content-type")))
    return c.body(responseJson(rule.url, found, serving), 200, { ...headers, "Content-Type": "application/json" });
  return c.body(new Uint8Array(responseProtobuf(rule.url, found, serving)), 200, { ...headers, "Content-Type": PROTOBUF });
}
