import { memoize } from "#core/lib/memo.ts";
import { HTTP_PROXY_ROUTE } from "../../routes/route-name.ts";
import { listenerName, localhosts } from "../binds.ts";
import type { ListenerPlan } from "../plan.ts";
import type { ChainPlan } from "./chain.ts";
import type { OutboundContext } from "./context.ts";
import { outboundPlan } from "./spell.ts";

/** The listener that applications use as their HTTP proxy, if the mesh or the node has one (istio `listener.go` buildHTTPProxy). */
export const httpProxy = memoize((context: OutboundContext): readonly ListenerPlan[] => {
  const { settings } = context;
  const number = settings.httpProxyPort;
  if (number === 0) return [];
  const binds = localhosts(settings);
  const port = { number, protocol: "HTTP_PROXY", name: "" } as const;
  return [outboundPlan(context, { name: listenerName(binds[0] ?? "", number), binds, real: true, port }, PROXY)];
});

const PROXY: ChainPlan = {
  match: { serverNames: [], ranges: [], applicationProtocols: [], transport: "" },
  body: { kind: "http", routes: HTTP_PROXY_ROUTE, protocol: "HTTP_PROXY", proxy: true },
  from: [],
};
