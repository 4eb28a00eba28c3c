import { isAddress } from "#core/lib/address.ts";
import { parseCidr } from "#core/lib/cidr.ts";

/** Checks of names and addresses (istio `pkg/config/validation/agent`, `pkg/config/labels`). Each gives what is wrong, or undefined. */

const LABEL = "[a-zA-Z0-9](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?";
const DNS_LABEL = new RegExp(`^${LABEL}$`);
const WILDCARD_LABEL = new RegExp(`^(?:\\*|(?:\\*|\\*-)?${LABEL})$`);
const LABEL_LENGTH = 63;

/** One part of a DNS name (RFC 1123, either case). */
export function isDnsLabel(text: string): boolean {
  return text.length <= LABEL_LENGTH && DNS_LABEL.test(text);
}

/** A domain name in full. */
export function domainProblem(domain: string): string | undefined {
  return lengthProblem(domain) ?? labelsProblem(domain);
}

/** A domain name whose first part may be, or begin with, a wildcard. */
export function wildcardDomainProblem(domain: string): string | undefined {
  const length = lengthProblem(domain);
  if (length !== undefined) return length;
  const dot = domain.indexOf(".");
  const first = dot < 0 ? domain : domain.slice(0, dot);
  if (first.length > LABEL_LENGTH || !WILDCARD_LABEL.test(first)) return `"${domain}" is not a valid domain name ("${first}" is not valid in it)`;
  return dot < 0 ? undefined : labelsProblem(domain.slice(dot + 1));
}

/** As {@link wildcardDomainProblem}; with `sni`, also the names that AUTO_PASSTHROUGH gateways make: `outbound_.80_._.host`. */
export function gatewayDomainProblem(domain: string, sni: boolean): string | undefined {
  if (!sni || !domain.startsWith("outbound_")) return wildcardDomainProblem(domain);
  const length = lengthProblem(domain);
  if (length !== undefined) return length;
  const [, port = "", , host] = domain.split("_");
  if (host !== undefined && /[0-9]/.test(port) && /[a-zA-Z]/.test(host)) return undefined;
  return `"${domain}" should have the form outbound_.PORT_._.HOST`;
}

/** A wildcard must be the whole of a name or of its first part. */
export function partialWildcardProblem(host: string): string | undefined {
  return host.includes("*") && host.length !== 1 && !host.startsWith("*.") ? `"${host}" has a wildcard within a name part` : undefined;
}

/** An IP address; one of version 6 may have a zone (Go's `netip.ParseAddr`). */
export function isIpAddress(text: string): boolean {
  return isAddress(text.includes(":") ? text.replace(/%.+$/s, "") : text);
}

/** An IP address. */
export function addressProblem(text: string): string | undefined {
  return isIpAddress(text) ? undefined : `"${text}" is not a valid IP address`;
}

/** An address, or a range of addresses. */
export function subnetProblem(text: string): string | undefined {
  if (text.split("/").length !== 2) return addressProblem(text);
  return parseCidr(text) === undefined ? `"${text}" is not a valid CIDR block` : undefined;
}

/** Before the path of a Unix socket, where an address may be one. */
export const UNIX_PREFIX = "unix://";

/** The path of a Unix domain socket, without the prefix; one that starts with `@` is abstract. */
export function socketPathProblem(path: string): string | undefined {
  if (path === "") return "the path of a Unix domain socket must not be empty";
  if (path.startsWith("@") || (path.startsWith("/") && !path.endsWith("/"))) return undefined;
  return `"${path}" is not the absolute path of a file`;
}

/** Names of ports are DNS labels. */
export function portNameProblem(name: string): string | undefined {
  return isDnsLabel(name) ? undefined : `"${name}" is not a valid port name`;
}

function lengthProblem(domain: string): string | undefined {
  if (domain.length > 255) return `"${domain}" is too long for a domain name (at most 255)`;
  return domain === "" ? "a domain name must not be empty" : undefined;
}

function labelsProblem(domain: string): string | undefined {
  const parts = domain.split(".");
  const last = parts.at(-1) ?? "";
  if (/^[+-]?\d{1,18}$/.test(last)) return `"${domain}" is not a valid domain name (its last part is all numeric)`;
  for (const [index, part] of parts.entries()) {
    if (part === "" && index === parts.length - 1) return undefined; // an absolute name: `istio.io.`
    if (!isDnsLabel(part)) return `"${domain}" is not a valid domain name ("${part}" is not valid in it)`;
  }
  return undefined;
}
