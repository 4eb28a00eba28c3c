import { Command } from "commander";
import { runFront } from "../front/run.ts";
import { FRONT_DEFAULTS, type FrontFlags } from "../front/settings.ts";
import { untilAsked } from "../io/signals.ts";
import { flag } from "./flags.ts";
import { addServerOptions, asFailure, isMetricsOptional } from "./server-options.ts";

/** `almanac front`: serve only. */
export function frontCommand(): Command {
  const command = new Command("front")
    .description("Serve the newest edition of a store to Envoy and gRPC; compile nothing. Goes on serving when the writer, or the store, is gone.")
    .addOption(flag("--store URL", "where editions are", FRONT_DEFAULTS.store));
  return addServerOptions(command)
    .addOption(
      flag("--max-staleness DURATION", "take no new streams when the store answers but was last read longer ago", FRONT_DEFAULTS.maxStaleness),
    )
    .addOption(flag("--poll-interval DURATION", "how often the store is asked for news", FRONT_DEFAULTS.pollInterval))
    .addOption(flag("--cache DIR", "keep the last edition in this folder too, for a restart without the store"))
    .addHelpText("after", "\nPrints where it listens, one line each, then: ready edition GENERATION.")
    .action(run);
}

async function run(flags: FrontFlags, command: Command): Promise<void> {
  const print = (line: string): boolean => process.stdout.write(`${line}\n`);
  const front = await runFront({ flags, metricsOptional: isMetricsOptional(command), print }).catch((error: unknown) => {
    throw asFailure(error);
  });
  await untilAsked();
  await front.stop();
  process.exit(0);
}
