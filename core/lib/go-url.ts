import { parseAddress } from "./address.ts";

/** A URL as Go's `net/url` reads it: laxer than WHATWG's, which knows what a host of each scheme must be. */
export interface GoUrl {
  readonly scheme: string;
  /** Host and port as written. */
  readonly host: string;
}

/** `reference`: Go's `url.Parse`, a path alone is fine. `request`: Go's `url.ParseRequestURI`, absolute, or a path from the root, without fragment. */
export type UrlForm = "reference" | "request";

/** Reads a URL as Go does; undefined for what it refuses. */
export function parseGoUrl(text: string, form: UrlForm): GoUrl | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that Go refuses.
  if (/[\u0000-\u001F\u007F]/.test(text) || text.startsWith(":")) return undefined;
  const [main = "", fragment = ""] = form === "reference" ? cut(text, text.indexOf("#")) : [text, ""];
  if (!isEscaped(fragment)) return undefined;
  if (main === "" || main === "*") return form === "request" && main === "" ? undefined : { scheme: "", host: "" };
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(main)?.[1] ?? "";
  const rest = (scheme === "" ? main : main.slice(scheme.length + 1)).split("?", 1)[0] ?? "";
  const host = rest.startsWith("/") ? hostOf(rest, scheme, form) : hostless(rest, scheme, form);
  return host === undefined ? undefined : { scheme: scheme.toLowerCase(), host };
}

/** After a scheme anything goes (`mailto:a`); without one a relative path, whose first part must not look like a scheme. */
function hostless(rest: string, scheme: string, form: UrlForm): string | undefined {
  if (scheme !== "") return "";
  return form === "request" || (rest.split("/", 1)[0] ?? "").includes(":") ? undefined : "";
}

/** The host of `//user@host/path`, "" for a path alone; undefined if a part is malformed. */
function hostOf(rest: string, scheme: string, form: UrlForm): string | undefined {
  const named = rest.startsWith("//") && (scheme !== "" || (form === "reference" && !rest.startsWith("///")));
  if (!named) return isEscaped(rest) ? "" : undefined;
  const [authority = "", path = ""] = cut(rest.slice(2), rest.indexOf("/", 2) - 2);
  const at = authority.lastIndexOf("@");
  const host = authority.slice(at + 1);
  const user = authority.slice(0, Math.max(0, at));
  const valid = isEscaped(path) && isHost(host, scheme.toLowerCase()) && isEscaped(user) && /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user);
  return valid ? host : undefined;
}

/** Host and port. Only the web's own schemes insist that a host has no colon, as databases list several hosts with a port each. */
function isHost(host: string, scheme: string): boolean {
  if (host.includes("[")) return isBracketed(host);
  const colon = scheme === "http" || scheme === "https" ? host.indexOf(":") : host.lastIndexOf(":");
  return (colon < 0 || isPort(host.slice(colon))) && isHostText(host);
}

/** An IPv6 address in brackets, perhaps with a zone. */
function isBracketed(host: string): boolean {
  const [, address = "", zone = "", port = ""] = /^\[(.*?)((?:%25.*)?)\]([^\]]*)$/.exec(host) ?? [];
  return parseAddress(address)?.family === "v6" && isPort(port) && zone !== "%25" && isEscaped(zone);
}

function isPort(text: string): boolean {
  return /^(?::\d*)?$/.test(text);
}

/** Of escapes, only those of other alphabets are allowed in a host. */
function isHostText(host: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond ASCII.
  return /^(?:%[89A-Fa-f][0-9A-Fa-f]|[A-Za-z0-9\-_.~!$&'()*+,;=:<>"\]]|[^\u0000-\u007F])*$/.test(host);
}

/** Is every "%" followed by two hexadecimal digits? */
function isEscaped(text: string): boolean {
  return !/%(?![0-9A-Fa-f]{2})/.test(text);
}

/** Text before a place and from there on; all of it and nothing for a negative place. */
function cut(text: string, at: number): [string, string] {
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)];
}
