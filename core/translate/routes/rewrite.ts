import type { ForwardFields } from "#core/envoy/route-action.ts";
import type { HttpRoute } from "#core/model/virtual-service.ts";

type PathRewrite = Pick<ForwardFields, "prefixRewrite" | "regexRewrite">;

/** How the path changes on its way; a regular expression wins over a prefix (istio `route.applyHTTPRouteDestination`). */
export function pathRewrite(rewrite: HttpRoute["rewrite"]): PathRewrite {
  if (rewrite?.uriRegexRewrite !== undefined) {
    return { regexRewrite: { regex: rewrite.uriRegexRewrite.match, substitution: rewrite.uriRegexRewrite.rewrite } };
  }
  return rewrite === undefined || rewrite.uri === "" ? {} : { prefixRewrite: rewrite.uri };
}
