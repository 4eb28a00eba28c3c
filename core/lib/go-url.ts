/** A URL as Go's `net/url` reads it: laxer than WHATWG's, which knows what a host of each scheme must be. */
export interface GoUrl {
  readonly scheme: string;
  /** Host and port as written. */
  readonly host: string;
}

/** Go's `url.Parse` (`reference`: a path alone is fine) or `url.ParseRequestURI` (`request`: absolute, or a path from the root); undefined for anything else. */
export function parseGoUrl(text: string, form: "reference" | "request"): GoUrl | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that Go refuses.
  if (/[\u0000-\u001F\u007F]/.test(text)) return undefined;
  const hash = form === "reference" ? text.indexOf("#") : -1;
  if (hash >= 0 && !isEscaped(text.slice(hash + 1))) return undefined;
  return parseParts(hash >= 0 ? text.slice(0, hash) : text, form);
}

function parseParts(text: string, form: "reference" | "request"): GoUrl | undefined {
  if (text === "" || text === "*") return form === "request" && text === "" ? undefined : { scheme: "", host: "" };
  if (text.startsWith(":")) return undefined;
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1] ?? "";
  const rest = (scheme === "" ? text : text.slice(scheme.length + 1)).split("?", 1)[0] ?? "";
  if (!rest.startsWith("/")) {
    if (scheme !== "") return { scheme: scheme.toLowerCase(), host: "" };
    // `a:b` without a scheme would be taken for one.
    if (form === "request" || (rest.split("/", 1)[0] ?? "").includes(":")) return undefined;
  }
  const hasHost = rest.startsWith("//") && (scheme !== "" || (form === "reference" && !rest.startsWith("///")));
  const slash = rest.indexOf("/", 2);
  const authority = hasHost ? rest.slice(2, slash < 0 ? undefined : slash) : "";
  const path = hasHost ? (slash < 0 ? "" : rest.slice(slash)) : rest;
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  const user = authority.slice(0, Math.max(0, authority.length - host.length - 1));
  const valid = isEscaped(path) && isHost(host) && isEscaped(user) && /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user);
  return valid ? { scheme: scheme.toLowerCase(), host } : undefined;
}

function isHost(host: string): boolean {
  if (host.startsWith("[")) return /^\[[0-9A-Fa-f:.]+(?:%25[^\]]*)?\](?::\d*)?$/.test(host);
  const colon = host.lastIndexOf(":");
  if (colon >= 0 && !/^:\d*$/.test(host.slice(colon))) return false;
  // Of escapes, only those of other alphabets are allowed in a host.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond ASCII.
  return /^(?:%[89A-Fa-f][0-9A-Fa-f]|[A-Za-z0-9\-_.~!$&'()*+,;=:<>"[\]]|[^\u0000-\u007F])*$/.test(host);
}

/** Is every "%" followed by two hexadecimal digits? */
function isEscaped(text: string): boolean {
  return !/%(?![0-9A-Fa-f]{2})/.test(text);
}
