import { CannotListen } from "../io/listen.ts";
import { untilAsked } from "../io/signals.ts";
import { runFront } from "./run.ts";
import { BadSetting, FRONT_DEFAULTS } from "./settings.ts";

// The front-end alone, for images that hold nothing else: set up by ALMANAC_… variables, which are those of `almanac front`.

const { env } = process;

try {
  const front = await runFront({
    flags: {
      store: env.ALMANAC_STORE ?? FRONT_DEFAULTS.store,
      grpc: env.ALMANAC_GRPC ?? FRONT_DEFAULTS.grpc,
      http: env.ALMANAC_HTTP ?? FRONT_DEFAULTS.http,
      metrics: env.ALMANAC_METRICS ?? FRONT_DEFAULTS.metrics,
      placeTimeout: env.ALMANAC_PLACE_TIMEOUT ?? FRONT_DEFAULTS.placeTimeout,
      maxStaleness: env.ALMANAC_MAX_STALENESS ?? FRONT_DEFAULTS.maxStaleness,
      pollInterval: env.ALMANAC_POLL_INTERVAL ?? FRONT_DEFAULTS.pollInterval,
      cache: env.ALMANAC_CACHE,
    },
    metricsOptional: env.ALMANAC_METRICS === undefined,
    print: (line) => process.stdout.write(`${line}\n`),
  });
  await untilAsked();
  await front.stop();
  process.exit(0);
} catch (error) {
  const known = error instanceof BadSetting || error instanceof CannotListen;
  process.stderr.write(
    `almanac: ${known ? error.message : `unexpected failure: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`}\n`,
  );
  process.exit(1);
}
