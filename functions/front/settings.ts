import { parseGoDuration } from "#core/lib/duration.ts";
import { type HostPort, parseHostPort } from "../io/listen.ts";

/** Options of everything that serves, as they are given: by flags, or by `ALMANAC_…` variables. */
export interface ServerFlags {
  readonly grpc: string;
  readonly http: string;
  readonly metrics: string;
  readonly placeTimeout: string;
}

/** Options of a front besides. */
export interface FrontFlags extends ServerFlags {
  readonly store: string;
  readonly maxStaleness: string;
  readonly pollInterval: string;
  readonly cache?: string | undefined;
}

/** Where istiod listens, on this host alone. */
export const SERVER_DEFAULTS: ServerFlags = { grpc: "127.0.0.1:15010", http: "127.0.0.1:8080", metrics: "127.0.0.1:15014", placeTimeout: "5s" };

/** Those of a front besides. */
export const FRONT_DEFAULTS: FrontFlags = { ...SERVER_DEFAULTS, store: ".almanac", maxStaleness: "1h", pollInterval: "1s" };

export interface ServerSettings {
  readonly grpc: HostPort;
  readonly http: HostPort;
  readonly metrics: HostPort | "off";
  readonly placeTimeoutMs: number;
}

/** Reads them. Throws {@link BadSetting}. */
export function readServerSettings({ grpc, http, metrics, placeTimeout }: ServerFlags): ServerSettings {
  return {
    grpc: hostPort("--grpc", grpc),
    http: hostPort("--http", http),
    metrics: metrics === "off" ? "off" : hostPort("--metrics", metrics),
    placeTimeoutMs: milliseconds("--place-timeout", placeTimeout),
  };
}

/** An option with a value that can't be used; the message is for the user. */
export class BadSetting extends Error {}

function hostPort(flag: string, text: string): HostPort {
  const parsed = parseHostPort(text);
  if (parsed === undefined) throw new BadSetting(`${flag} ${text}: wanted HOST:PORT, for example 127.0.0.1:0 for a free port`);
  return parsed;
}

/** A span of time as Go writes it, in milliseconds. Throws {@link BadSetting}. */
export function milliseconds(flag: string, text: string): number {
  const parsed = parseGoDuration(text);
  if (parsed === undefined || parsed.seconds < 0 || parsed.nanos < 0)
    throw new BadSetting(`${flag} ${text}: wanted a duration, for example 500ms, 5s or 1h`);
  return parsed.seconds * 1_000 + parsed.nanos / 1e6;
}
