import { type NodeMessage, readNodeMessage } from "#core/node/message.ts";
import { CommandFailure } from "./failure.ts";
import { readYamlFile } from "./inputs.ts";

/** A node to answer for, by the name that the user gave it. */
export interface NamedNode {
  readonly name: string;
  readonly node: NodeMessage;
}

/** Reads `NAME=FILE` pairs, each FILE an xDS Node as JSON. Throws {@link CommandFailure} (exit 2) naming the file that can't be read. */
export function readNodes(pairs: readonly string[]): readonly NamedNode[] {
  return pairs.map((pair) => {
    const at = pair.indexOf("=");
    if (at <= 0) throw new CommandFailure(`--node ${pair}: wanted NAME=FILE`, 2);
    return { name: pair.slice(0, at), node: readNode(pair.slice(at + 1)) };
  });
}

/** One xDS Node from a JSON (or YAML) file. */
export function readNode(file: string): NodeMessage {
  const node = readNodeMessage(readYamlFile(file));
  if ("error" in node) throw new CommandFailure(`${file}: ${node.error}`, 2);
  return node;
}
