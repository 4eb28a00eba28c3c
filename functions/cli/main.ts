import { Command } from "commander";
import { analyzeCommand } from "./analyze.ts";
import { bootstrapCommand } from "./bootstrap.ts";
import { buildCommand } from "./build.ts";
import { VERSION } from "./builder.ts";
import { reportFailure } from "./failure.ts";
import { frontCommand } from "./front.ts";
import { nodeCommand } from "./node.ts";
import { serveCommand } from "./serve.ts";
import { translateCommand } from "./translate.ts";

const program = new Command("almanac")
  .description(
    "An xDS control plane that compiles the mesh ahead of time: Kubernetes, Istio and Gateway API objects in,\nEnvoy and gRPC configuration out, as versioned editions in a store that anyone can serve.",
  )
  .version(VERSION)
  .showHelpAfterError("(add --help for what this command takes)")
  .addHelpText(
    "after",
    `
Start here:
  almanac serve examples/bookshop                       watch a folder, compile it, serve xDS on 127.0.0.1:15010
  almanac translate DIR --node web=node.json            print what one node would be sent
  almanac analyze DIR                                   say what is wrong with the objects in a folder
Every option can be set by a variable too: --grpc is ALMANAC_GRPC. Results go to standard output, logs to standard error.`,
  );

for (const command of [serveCommand(), translateCommand(), buildCommand(), frontCommand(), analyzeCommand(), nodeCommand(), bootstrapCommand()]) {
  program.addCommand(command);
}
// Whoever reads our output may have enough of it, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});
program.parseAsync().catch(reportFailure);
