import { hostAndPort, splitHostPort } from "#core/lib/host-port.ts";

/** Where to listen. Port 0 takes a free one. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** Reads `HOST:PORT`, with IPv6 hosts in brackets. Undefined if it is none. */
export function parseHostPort(text: string): HostPort | undefined {
  const { host, port = "" } = splitHostPort(text) ?? {};
  return host === undefined || !/^\d{1,5}$/.test(port) || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}

/** The inverse of {@link parseHostPort}. */
export function formatHostPort({ host, port }: HostPort): string {
  return hostAndPort(host, port);
}

/** An address that could not be taken; the message is for the user. */
export class CannotListen extends Error {
  readonly inUse: boolean;

  /** `flag`: the option that gave the address. */
  constructor(flag: string, address: HostPort, cause: unknown) {
    const code = codeOf(cause);
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: "is in use",
      EACCES: "needs more rights than this process has",
      EADDRNOTAVAIL: "is no address of this machine",
      ENOTFOUND: "has a host name that can't be resolved",
    };
    super(
      `${flag} ${formatHostPort(address)} ${reasons[code] ?? `can't be listened on: ${cause instanceof Error ? cause.message : String(cause)}`}`,
      {
        cause,
      },
    );
    this.inUse = code === "EADDRINUSE";
  }
}

/** The system's code of an error; gRPC only gives it as text. */
function codeOf(cause: unknown): string {
  const { code, message = "" } = cause as { code?: unknown; message?: string };
  return typeof code === "string" ? code : (/\b(EADDRINUSE|EACCES|EADDRNOTAVAIL|ENOTFOUND)\b/.exec(message)?.[0] ?? "");
}
