/** `host:port`, with the brackets that an IPv6 address needs (Go `net.JoinHostPort`). */
export function hostAndPort(host: string, port: number): string {
  return `${bracketed(host)}:${port}`;
}

/** An IPv6 address in brackets; anything without a colon as it is. */
export function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
