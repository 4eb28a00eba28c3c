/** `host:port`, with the brackets that an IPv6 address needs (Go `net.JoinHostPort`). */
export function hostAndPort(host: string, port: number): string {
  return `${bracketed(host)}:${port}`;
}

/** An IPv6 address in brackets; anything without a colon as it is. */
export function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** The inverse; undefined for anything else (Go `net.SplitHostPort`). The port is text, maybe empty, and may be no number. */
export function splitHostPort(text: string): { readonly host: string; readonly port: string } | undefined {
  const match = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:[\]]*)$/.exec(text);
  return match === null ? undefined : { host: match[1] ?? match[2] ?? "", port: match[3] ?? "" };
}
