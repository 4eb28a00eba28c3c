import type { Edition } from "#core/edition/edition.ts";
import { treeDigest } from "#core/edition/tree.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { visit } from "#core/lib/trie.ts";
import { type Build, build } from "#core/pipeline/build.ts";
import type { Inventory } from "#core/sources/inventory.ts";
import { sealerOf } from "#functions/io/seal.ts";
import type { CaseInput } from "./case-input.ts";

export const sealer = sealerOf(new Uint8Array(32).fill(7));

/** What of a case is built. */
export interface CaseBuild extends Pick<CaseInput, "options" | "census"> {
  readonly admission?: readonly Diagnostic[];
  /** Does the build allocate addresses itself? It does, unless the options have them. */
  readonly allocate?: boolean;
}

/** Builds an edition of a case's nodes from a state of its objects; on an earlier build, as a writer would. */
export function buildCase({ options, census, admission = [], allocate = true }: CaseBuild, inventory: Inventory, previous?: Build): Build {
  return build({ inventory, options, census, admission, allocate, sealer, builder: "test" }, previous?.edition, previous);
}

/** Digests of all that an edition holds, layer by layer; equal editions have equal ones, whatever their history. */
export function contentsOf(edition: Edition): Readonly<Record<string, string>> {
  const { inventory, directory, rules, census, diagnostics, layers } = edition;
  const digests: Record<string, string> = {};
  for (const [name, tree] of Object.entries({ inventory, directory, rules, census, diagnostics })) digests[name] = treeDigest(tree);
  visit(layers, (key, { digest, resources, from }) => {
    digests[`${key} resources`] = treeDigest(resources);
    digests[`${key} from`] = treeDigest(from);
    digests[key] = digest;
  });
  return digests;
}
