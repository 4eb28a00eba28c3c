import { Command } from "commander";
import { analyzeMesh } from "#core/model/resolve/analyze-mesh.ts";
import { flag } from "./flags.ts";
import { addInputOptions, type InputOptions, readInputs, resolveInputs } from "./inputs.ts";
import { type DiagnosticFormat, printDiagnostics } from "./print-diagnostics.ts";

/** `almanac analyze`: what is wrong with the objects of a folder, each alone and together. */
export function analyzeCommand(): Command {
  const command = new Command("analyze")
    .description("Say what is wrong with the objects in folders: what Istio would refuse or warn of, and references that lead nowhere.")
    .argument("<dirs...>", "folders (or files) of YAML and JSON")
    .addOption(flag("-o, --output <format>", "how to print").choices(["log", "json", "yaml"]).default("log"))
    .addHelpText("after", "\nExits with 1 if anything is an error, with 2 if a file can't be read. docs/guides/diagnostics.md explains each code.");
  return addInputOptions(command, { allocateAddresses: false }).action(analyze);
}

function analyze(dirs: readonly string[], options: InputOptions & { readonly output: DiagnosticFormat }): void {
  const inputs = readInputs(dirs, options);
  const mesh = resolveInputs(inputs, options);
  const diagnostics = [...inputs.diagnostics, ...mesh.diagnostics, ...analyzeMesh(mesh).diagnostics];
  process.stdout.write(printDiagnostics(diagnostics, options.output));
  if (options.output === "log" && diagnostics.length === 0) process.stderr.write("No problems found.\n");
  if (diagnostics.some(({ severity }) => severity === "error")) process.exitCode = 1;
}
