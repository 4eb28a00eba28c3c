/**
 * Reads node metadata the way Istio's `NodeMetadata` unmarshals it (istio `pkg/model/proxy.go`): every value has one shape, and a value of another
 * shape is an error for the whole node, because half-read metadata would silently give a proxy another proxy's configuration.
 */
export interface MetadataReader {
  text(key: string): string;
  /** `ENVOY_STATUS_PORT` and the like: a JSON number. 0 if absent. */
  port(key: string): number;
  /** A boolean that travels as the text "true" or "false" (Go `strconv.ParseBool` spellings). */
  flag(key: string): boolean;
  /** Comma-separated text; undefined if absent. */
  list(key: string): readonly string[] | undefined;
  labels(key: string): Readonly<Record<string, string>> | undefined;
  record(key: string): Readonly<Record<string, unknown>> | undefined;
  /** What was wrong, one sentence for each key. */
  readonly problems: readonly string[];
}

const TRUE = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const FALSE = new Set(["0", "f", "F", "false", "FALSE", "False"]);

/** A reader of one node's metadata; it collects what is wrong with the keys that were asked for. */
export function readMetadata(metadata: Readonly<Record<string, unknown>>): MetadataReader {
  const problems: string[] = [];
  const wrong = (key: string, wanted: string): undefined => {
    problems.push(`metadata.${key} is not ${wanted}`);
    return undefined;
  };
  const textOf = (key: string): string | undefined => {
    const value = metadata[key];
    if (value === undefined || value === null) return undefined;
    return typeof value === "string" ? value : wrong(key, "text");
  };
  const recordOf = (key: string): Record<string, unknown> | undefined => {
    const value = metadata[key];
    if (value === undefined || value === null) return undefined;
    return typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : wrong(key, "an object");
  };
  return {
    problems,
    text: (key) => textOf(key) ?? "",
    port(key) {
      const value = metadata[key];
      if (value === undefined || value === null) return 0;
      return typeof value === "number" && Number.isInteger(value) ? value : (wrong(key, "a whole number") ?? 0);
    },
    flag(key) {
      const value = textOf(key);
      if (value === undefined) return false;
      if (TRUE.has(value)) return true;
      return FALSE.has(value) ? false : (wrong(key, 'the text "true" or "false"') ?? false);
    },
    list(key) {
      const value = textOf(key);
      return value === undefined ? undefined : value === "" ? [] : value.split(",");
    },
    labels(key) {
      const record = recordOf(key);
      if (record === undefined) return undefined;
      const strange = Object.keys(record).find((name) => typeof record[name] !== "string");
      return strange === undefined ? (record as Record<string, string>) : wrong(`${key}.${strange}`, "text");
    },
    record: recordOf,
  };
}
