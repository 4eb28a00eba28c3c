/** How much a line matters. */
export type Level = "debug" | "info" | "warn" | "error";

export type Fields = Readonly<Record<string, unknown>>;

/** Writes lines about what happens; never results. */
export interface Log {
  readonly debug: (message: string, fields?: Fields) => void;
  readonly info: (message: string, fields?: Fields) => void;
  readonly warn: (message: string, fields?: Fields) => void;
  readonly error: (message: string, fields?: Fields) => void;
}

const LEVELS: readonly Level[] = ["debug", "info", "warn", "error"];

/** What a field may hold of a text that comes from outside. */
const MAX_TEXT = 2_000;

export interface LogOptions {
  /** ALMANAC_LOG_LEVEL; info. */
  readonly level?: string | undefined;
  /** ALMANAC_LOG_FORMAT: `json`, one object a line; else text for people. */
  readonly format?: string | undefined;
  readonly write?: (line: string) => void;
  readonly now?: () => Date;
}

/** A log on standard error, set up by `ALMANAC_LOG_LEVEL` and `ALMANAC_LOG_FORMAT`. */
export function openLog(options: LogOptions = {}): Log {
  const { level = process.env.ALMANAC_LOG_LEVEL, format = process.env.ALMANAC_LOG_FORMAT } = options;
  const write = options.write ?? ((line: string) => process.stderr.write(line));
  const now = options.now ?? (() => new Date());
  const least = Math.max(0, LEVELS.indexOf((level as Level | undefined) ?? "info"));
  const print = format === "json" ? jsonLine : textLine;
  const at =
    (lineLevel: Level) =>
    (message: string, fields: Fields = {}): void => {
      if (LEVELS.indexOf(lineLevel) >= least) write(print(now().toISOString(), lineLevel, message, fields));
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function jsonLine(time: string, level: Level, message: string, fields: Fields): string {
  return `${JSON.stringify({ time, level, message, ...mapFields(fields, plain) })}\n`;
}

function textLine(time: string, level: Level, message: string, fields: Fields): string {
  const parts = Object.entries(mapFields(fields, plain)).map(([key, value]) => ` ${key}=${quoted(value)}`);
  return `${time} ${level.padEnd(5)} ${message}${parts.join("")}\n`;
}

function mapFields(fields: Fields, change: (value: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, change(value)]])));
}

/** An error with its causes as one text; text of any origin bounded. */
function plain(value: unknown): unknown {
  if (value instanceof Error) return bounded(describe(value));
  return typeof value === "string" ? bounded(value) : value;
}

function describe(error: Error): string {
  const own = error.stack ?? error.message;
  return error.cause instanceof Error ? `${own}\ncaused by: ${describe(error.cause)}` : own;
}

function bounded(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length} characters)` : text;
}

function quoted(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}
