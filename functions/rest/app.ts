import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import type { EditionSource } from "#core/xds/serving.ts";
import { describeFailure, ServiceFailure } from "../io/errors.ts";
import type { Log } from "../io/log.ts";
import type { Metrics } from "../io/metrics.ts";
import { discoveryApp, type RestContext } from "./discovery.ts";
import { homePage } from "./home-page.ts";
import { managementApp, type NodeLister } from "./management.ts";

export interface AppContext extends RestContext {
  readonly source: EditionSource;
  readonly nodes: NodeLister;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Everything that is served over HTTP: REST discovery, the management API, probes, metrics and a page for people. */
export function httpApp(context: AppContext): Hono {
  const { source, metrics, nodes } = context;
  const app = new Hono();
  app.route("/v3", discoveryApp(context));
  app.route("/v1", managementApp(source, nodes));
  addProbes(app, source);
  addMetrics(app, metrics);
  app.get("/", (c) => c.html(homePage(source, nodes())));
  addFailures(app, context.log);
  return app;
}

/** What the metrics address serves. */
export function metricsApp({ metrics, source, log }: Pick<AppContext, "metrics" | "source" | "log">): Hono {
  const app = new Hono();
  addMetrics(app, metrics);
  addProbes(app, source);
  addFailures(app, log);
  return app;
}

/** Ready means that an edition can be served, not that its store answers at this moment. */
function addProbes(app: Hono, source: EditionSource): void {
  app.get("/ready", (c) => {
    const served = source.served();
    const { trouble } = source.health();
    if (served === undefined) return c.json({ ready: false, message: trouble ?? "no edition is served yet" }, 503);
    return c.json({ ready: true, generation: served.generation, ...(served.pinned && { pinned: true }), ...(trouble !== undefined && { trouble }) });
  });
  app.get("/healthz", (c) => c.text("ok\n"));
}

function addMetrics(app: Hono, metrics: Metrics): void {
  app.get("/metrics", (c) => c.body(metrics.text(), 200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" }));
}

/** One shape for every failure: `{code, message}`. */
function addFailures(app: Hono, log: Log): void {
  app.notFound((c) => c.json({ code: "not_found", message: `nothing is served at ${c.req.method} ${c.req.path}` }, 404));
  app.onError((error, c) => {
    const failure = error instanceof HTTPException ? new ServiceFailure("invalid", error.message, { cause: error }) : error;
    const { codes, message, expected } = describeFailure(failure);
    if (!expected) log.error("a request failed", { method: c.req.method, path: c.req.path, error });
    return c.json({ code: codes.name, message }, codes.http as 500);
  });
}
