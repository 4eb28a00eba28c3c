import { Command } from "commander";
import type { Dialect } from "#core/node/facts.ts";
import { translateNode } from "#core/pipeline/translate.ts";
import { answerJson } from "./answer-json.ts";
import { CommandFailure } from "./failure.ts";
import { flag, repeatable } from "./flags.ts";
import { addInputOptions, type InputOptions, readInputs, resolveInputs } from "./inputs.ts";
import { readNodes } from "./nodes.ts";
import { printDiagnostics } from "./print-diagnostics.ts";

interface TranslateOptions extends InputOptions {
  readonly node: readonly string[];
  readonly dialect?: Dialect;
}

/** `almanac translate`: what nodes would be sent, without publishing anything. */
export function translateCommand(): Command {
  const command = new Command("translate")
    .description("Print what nodes would be sent: each resource by name as protobuf JSON. Nothing is published.")
    .argument("<dirs...>", "folders (or files) of YAML and JSON")
    // Variadic, so that several NAME=FILE may follow one --node; folders come first then.
    .addOption(repeatable("--node <NAME=FILE...>", "a node to answer for: a name, and a file with its xDS Node as JSON").makeOptionMandatory())
    .addOption(flag("--dialect <dialect>", "how to spell it, whatever the node says of itself").choices(["istio-proxy", "envoy", "grpc"]))
    .addOption(flag("-o, --output <format>", "how to print").choices(["json"]).default("json"))
    .addHelpText(
      "after",
      `
Prints {"NAME": {"clusters": {…}, "endpoints": {…}, "listeners": {…}, "routes": {…}, "extensions": {…}, "secrets": {…}}}; empty types are left out.
Diagnostics go to standard error. Exits with 0 when every node was answered, with 2 if a file can't be read.

  almanac translate examples/bookshop --node web=examples/nodes/web.json | jq '.web.routes'`,
    );
  return addInputOptions(command, { allocateAddresses: false }).action(run);
}

function run(dirs: readonly string[], options: TranslateOptions): void {
  const nodes = readNodes(options.node);
  const inputs = readInputs(dirs, options);
  const mesh = resolveInputs(inputs, options);
  const translations = nodes.map(({ name, node }) => {
    const translation = translateNode(mesh, node, options.dialect);
    if ("error" in translation) throw new CommandFailure(`node ${name}: ${translation.error}`, 2);
    return { name, ...translation };
  });
  const ofNodes = new Map(translations.flatMap(({ diagnostics }) => diagnostics).map((one) => [JSON.stringify(one), one]));
  process.stderr.write(printDiagnostics([...inputs.diagnostics, ...mesh.diagnostics, ...ofNodes.values()], "log"));
  const answers = translations.map(({ name, answer }) => [name, answerJson(answer)]);
  process.stdout.write(`${JSON.stringify(Object.fromEntries(answers), undefined, 1)}\n`);
}
