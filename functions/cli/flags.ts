import { Option } from "commander";

/** An option that a variable sets as well: `--place-timeout` is ALMANAC_PLACE_TIMEOUT. */
export function flag(flags: string, description: string, fallback?: string | number | boolean): Option {
  const name = /--([a-z-]+)/.exec(flags)?.[1] ?? flags;
  const option = new Option(flags.replace(/ ([^<[\s]\S*)$/, " <$1>"), description).env(`ALMANAC_${name.toUpperCase().replaceAll("-", "_")}`);
  return fallback === undefined ? option : option.default(fallback);
}

/** Collects an option that may be given several times; a variable holds them separated by commas. */
export function repeatable(flags: string, description: string): Option {
  return flag(flags, description).argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), ...value.split(",")]);
}
