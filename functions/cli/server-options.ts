import type { Command } from "commander";
import { BadSetting, readServerSettings, SERVER_DEFAULTS, type ServerFlags, type ServerSettings } from "../front/settings.ts";
import { CannotListen } from "../io/listen.ts";
import { CommandFailure } from "./failure.ts";
import { flag } from "./flags.ts";

/** Options of every command that serves. */
export function addServerOptions(command: Command): Command {
  return command
    .addOption(flag("--grpc HOST:PORT", "where xDS, health and reflection are served; port 0 takes a free one", SERVER_DEFAULTS.grpc))
    .addOption(flag("--http HOST:PORT", "where REST discovery, the management API, /ready, /metrics and pages are served", SERVER_DEFAULTS.http))
    .addOption(flag("--metrics HOST:PORT|off", "where Prometheus finds /metrics; the default already taken is a warning", SERVER_DEFAULTS.metrics))
    .addOption(flag("--place-timeout DURATION", "how long a new node waits for what is not compiled yet", SERVER_DEFAULTS.placeTimeout));
}

/** Reads them. Throws {@link CommandFailure}. */
export function serverSettings(flags: ServerFlags): ServerSettings {
  return refusing(() => readServerSettings(flags));
}

/** The metrics address is the default, by neither flag nor variable. */
export function isMetricsOptional(command: Command): boolean {
  return command.getOptionValueSource("metrics") === "default";
}

/** Turns what is wrong with settings and addresses into a clean refusal. */
export function refusing<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw asFailure(error);
  }
}

/** The same for what was caught already. */
export function asFailure(error: unknown): unknown {
  return error instanceof BadSetting || error instanceof CannotListen ? new CommandFailure(error.message) : error;
}
