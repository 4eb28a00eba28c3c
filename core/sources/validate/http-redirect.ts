import type { HTTPDirectResponse, HTTPRoute } from "#proto/networking/v1alpha3/virtual_service_pb.js";
import type { Findings } from "./findings.ts";
import { httpStatusProblem, portProblem } from "./numbers.ts";

/** A redirect says where to; the first thing that is wrong counts (istio validateHTTPRedirect). */
export function checkRedirect({ redirect, match }: HTTPRoute, path: string, findings: Findings): void {
  if (redirect === undefined) return;
  const { uri, prefixRewrite, authority, redirectPort, scheme, redirectCode } = redirect;
  const port = redirectPort.case === "port" ? redirectPort.value : 0;
  if (uri !== "" && prefixRewrite !== "") {
    findings.error(path, "only one of uri and prefixRewrite may be set");
  } else if (prefixRewrite !== "" && match.some((one) => one.uri !== undefined && one.uri.matchType.case !== "prefix")) {
    findings.error(`${path}.prefixRewrite`, "needs prefix matches of the uri alone");
  } else if (uri === "" && prefixRewrite === "" && authority === "" && redirectPort.case === undefined && scheme === "") {
    findings.error(path, "must set a uri, authority, scheme or port");
  } else if (redirectCode !== 0 && (redirectCode < 300 || redirectCode > 399)) {
    findings.error(`${path}.redirectCode`, `${redirectCode} is not a redirect code (3xx)`);
  } else if (scheme !== "" && scheme !== "http" && scheme !== "https") {
    findings.error(`${path}.scheme`, `must be "http" or "https"`);
  } else if (port > 0) {
    findings.error(`${path}.port`, portProblem(port));
  }
}

const KB = 1024;

/** A route's answer of its own (istio validateHTTPDirectResponse). */
export function checkDirectResponse(response: HTTPDirectResponse | undefined, path: string, findings: Findings): void {
  if (response === undefined) return;
  const size = bodySize(response);
  if (size > 1024 * KB) findings.error(`${path}.body`, "a response must be smaller than 1 MB");
  else if (size > 100 * KB) findings.warning(`${path}.body`, "large responses burden the control plane");
  findings.error(`${path}.status`, httpStatusProblem(response.status | 0));
}

function bodySize({ body }: HTTPDirectResponse): number {
  if (body?.specifier.case === "string") return new TextEncoder().encode(body.specifier.value).length;
  return body?.specifier.case === "bytes" ? body.specifier.value.length : 0;
}
