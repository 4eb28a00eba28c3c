import { parseCidr } from "#core/lib/cidr.ts";
import { isIpAddress } from "./names.ts";

/** Checks of the lists in an AuthorizationPolicy (istio `pkg/config/security`). Each gives what is wrong with the first wrong value, or undefined. */

export function emptyValueProblem(values: readonly string[]): string | undefined {
  return values.includes("") ? "values must not be empty" : undefined;
}

/** Addresses and CIDRs. */
export function addressesProblem(values: readonly string[]): string | undefined {
  const wrong = values.find((value) => (value.includes("/") ? parseCidr(value) === undefined : !isIpAddress(value)));
  return wrong === undefined ? undefined : `"${wrong}" is neither an IP address nor a CIDR block`;
}

/** Ports as text. */
export function portsProblem(values: readonly string[]): string | undefined {
  const wrong = values.find((value) => !/^\d{1,10}$/.test(value) || Number(value) > 65535);
  return wrong === undefined ? undefined : `"${wrong}" is not a port`;
}

/** `account` or `namespace/account`; no wildcards, 16 at most. */
export function serviceAccountProblem(values: readonly string[]): string | undefined {
  if (values.length > 16) return "there may be no more than 16 values";
  const wrong = values.find((value) => value.length > 320 || !/^[^*/]+(?:\/[^*/]+)?$/.test(value));
  return wrong === undefined ? undefined : `"${wrong}" has not the form ACCOUNT or NAMESPACE/ACCOUNT, without wildcards`;
}

/** At most one wildcard, at the start or at the end. */
export function wildcardProblem(values: readonly string[]): string | undefined {
  const wrong = values.find((value) => value === "" || value.slice(1, -1).includes("*") || (value.length > 1 && /^\*.*\*$/s.test(value)));
  return wrong === undefined ? undefined : `"${wrong}" must not be empty, and may have one wildcard at its start or end`;
}

/** Trust domains have no path. */
export function trustDomainProblem(values: readonly string[]): string | undefined {
  const wrong = values.find((value) => value.includes("/"));
  return wildcardProblem(values) ?? (wrong === undefined ? undefined : `"${wrong}" is not a trust domain`);
}

/** Paths may have `{*}` for one part and `{**}` for the rest; then all else must be plain. */
export function pathTemplateProblem(values: readonly string[]): string | undefined {
  const wrong = values.find((value) => value === "" || !isPath(value));
  return wrong === undefined ? undefined : `"${wrong}" is not a path, or not a template with {*} for one part and {**} at the end`;
}

const PLAIN_PART = /^[a-zA-Z0-9\-._~%!$&'()+,;:@=]+$/;

function isPath(path: string): boolean {
  const isTemplate = path.includes("{*}") || path.includes("{**}");
  const parts = path.replace(/^\/+|\/+$/g, "").split("/");
  const rest = parts.indexOf("{**}");
  return parts.every((part, index) => {
    if (part === "{*}" || part === "{**}") return rest < 0 || index <= rest;
    return !/[{}]/.test(part) && (!isTemplate || PLAIN_PART.test(part));
  });
}
