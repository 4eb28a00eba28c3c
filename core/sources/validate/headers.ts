import type { Headers, Headers_HeaderOperations } from "#proto/networking/v1alpha3/virtual_service_pb.js";
import { entryPath, type Findings } from "./findings.ts";
import { headerValueProblem } from "./header-value.ts";

const TOKEN = /^[!#$%&'*+\-.^_`|~A-Za-z0-9]+$/;
const PSEUDO: ReadonlySet<string> = new Set([":method", ":scheme", ":authority", ":path", ":status"]);
const CLAIMS = "@request.auth.claims";

/** Does a match's key name a claim of the request's token (`@request.auth.claims.a`, `@request.auth.claims[a][b]`)? Istio `pkg/jwt` ToRoutingClaim. */
export function isClaim(name: string): boolean {
  if (!name.toLowerCase().startsWith(CLAIMS)) return false;
  const rest = name.slice(CLAIMS.length);
  return (rest.startsWith(".") && rest.length > 1) || (rest.startsWith("[") && rest.endsWith("]") && rest.length > 2);
}

/** The host of a request, in either spelling. */
export function isAuthority(name: string): boolean {
  return /^(:authority|host)$/i.test(name);
}

/** The name of a header (RFC 9110 token) that a route matches. */
export function matchedHeaderProblem(name: string): string | undefined {
  return isClaim(name) || PSEUDO.has(name) ? undefined : tokenProblem(name);
}

/** The name of a header that CORS allows or exposes. */
export function corsHeaderProblem(name: string): string | undefined {
  return name === "*" ? undefined : tokenProblem(name);
}

/** Letters, digits, "-", and "_" where `underscore` allows it. */
export function plainHeaderProblem(name: string, underscore: boolean): string | undefined {
  if (name === "") return "a header's name must not be empty";
  return (underscore ? /^[-_A-Za-z0-9]+$/ : /^[-A-Za-z0-9]+$/).test(name) ? undefined : `"${name}" is not a valid header name`;
}

/** What a route sets, adds and removes. */
export function checkHeaders(headers: Headers | undefined, path: string, findings: Findings): void {
  checkOperations(headers?.request, `${path}.request`, requestHeaderProblem, findings);
  checkOperations(headers?.response, `${path}.response`, changedHeaderProblem, findings);
}

function checkOperations(
  operations: Headers_HeaderOperations | undefined,
  path: string,
  nameProblem: (name: string) => string | undefined,
  findings: Findings,
): void {
  if (operations === undefined) return;
  for (const verb of ["add", "set"] as const) {
    for (const [name, value] of Object.entries(operations[verb])) {
      findings.error(entryPath(`${path}.${verb}`, name), nameProblem(name));
      findings.error(entryPath(`${path}.${verb}`, name), headerValueProblem(value));
    }
  }
  for (const [index, name] of operations.remove.entries()) findings.error(`${path}.remove[${index}]`, changedHeaderProblem(name));
}

/** A request's authority may be set, other pseudo headers may not. */
function requestHeaderProblem(name: string): string | undefined {
  if (name === "") return "a header's name must not be empty";
  return name.startsWith(":") && !isAuthority(name) ? `"${name}" can't be changed: its name starts with ":"` : undefined;
}

function changedHeaderProblem(name: string): string | undefined {
  if (name === "") return "a header's name must not be empty";
  if (/^host$/i.test(name)) return "the Host header can't be changed here";
  return name.startsWith(":") ? `"${name}" can't be changed: its name starts with ":"` : undefined;
}

function tokenProblem(name: string): string | undefined {
  if (name === "") return "a header's name must not be empty";
  return TOKEN.test(name) ? undefined : `"${name}" is not a valid header name`;
}
