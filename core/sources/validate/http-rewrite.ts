import { compareText } from "#core/lib/compare.ts";
import type { Headers, HTTPRewrite } from "#proto/networking/v1alpha3/virtual_service_pb.js";
import { entryPath, type Findings } from "./findings.ts";
import { isAuthority } from "./headers.ts";
import { regularExpressionProblem } from "./string-match.ts";

/** A rewrite changes the path, by prefix or by expression, or the authority; the first thing that is wrong counts (istio validateHTTPRewrite). */
export function checkRewrite(rewrite: HTTPRewrite | undefined, path: string, findings: Findings): void {
  if (rewrite === undefined) return;
  const { uri, uriRegexRewrite: regex, authority } = rewrite;
  if (uri !== "" && regex !== undefined) {
    findings.error(path, "only one of uri and uriRegexRewrite may be set");
  } else if (uri === "" && regex === undefined && authority === "") {
    findings.error(path, "must set uri, uriRegexRewrite or authority");
  } else if (regex !== undefined && (regex.match === "" || regex.rewrite === "")) {
    findings.error(`${path}.uriRegexRewrite`, "needs both match and rewrite");
  } else if (regex !== undefined) {
    findings.error(`${path}.uriRegexRewrite.match`, regularExpressionProblem(regex.match));
  }
}

/** The authority may be changed in one place only: by the rewrite, or by one header (istio validateAuthorityRewrite). */
export function checkAuthority(rewrite: HTTPRewrite | undefined, headers: Headers | undefined, path: string, findings: Findings): void {
  let current = rewrite?.authority ?? "";
  for (const verb of ["set", "add"] as const) {
    const changes = Object.entries(headers?.request?.[verb] ?? {}).filter(([name]) => isAuthority(name));
    for (const [name, value] of changes.sort(([a], [b]) => compareText(a, b))) {
      if (current !== "") {
        findings.error(entryPath(`${path}.headers.request.${verb}`, name), `the authority is set to "${current}" already`);
        return;
      }
      current = value;
    }
  }
}
