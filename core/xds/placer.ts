import type { Loaded } from "#core/edition/loaded.ts";
import { dialectOf } from "#core/node/dialect.ts";
import type { Directory } from "#core/node/directory.ts";
import type { Facts } from "#core/node/facts.ts";
import { findFacts } from "#core/node/find-facts.ts";
import type { NodeMessage } from "#core/node/message.ts";
import { layerKey, place } from "#core/node/place.ts";
import type { PlacedLayer } from "#core/node/placement.ts";
import type { Rules } from "#core/node/rules.ts";
import { type ReadDirectory, readDirectory } from "./read-directory.ts";
import type { Placer, Refused, Seat, Serving } from "./serving.ts";

/** What a placer goes by. */
export interface PlacerOptions {
  /** The edition served now. */
  readonly loaded: () => Loaded | undefined;
  /** Editions before it, newest first, as far as they are at hand. */
  readonly recent?: () => readonly Loaded[];
  /** A node that no layer fits: somebody should compile for it. Called once for each new place of it. */
  readonly want: (node: NodeMessage) => void;
}

const NO_DIRECTORY: Directory = { entries: [], byName: () => undefined, byAddress: () => undefined };

/** Places nodes with the rules and directory of the edition that is served. */
export function makePlacer(options: PlacerOptions): Placer {
  return {
    place: async (node): Promise<Seat | Refused> => {
      const facts = findFacts(node, options.loaded()?.directory ?? NO_DIRECTORY);
      return "error" in facts ? facts : takeSeat(node, options);
    },
  };
}

/** Where a node was last found to belong, and from what that follows. */
interface Place {
  readonly loaded: Loaded;
  readonly rules: Rules;
  readonly read: ReadDirectory;
  readonly facts: Facts;
  /** Undefined while nothing was compiled for its scope. */
  readonly layers: readonly PlacedLayer[] | undefined;
  /** Names the place, whether or not its layers are there. */
  readonly name: string;
}

function takeSeat(node: NodeMessage, { loaded, recent, want }: PlacerOptions): Seat {
  let found: Place | undefined;
  let wanted: string | undefined;
  const current = (): Place | undefined => {
    const edition = loaded();
    if (edition !== undefined && edition !== found?.loaded) found = findPlace(node, edition, found);
    return found;
  };
  const wantOnce = (name: string): void => {
    if (wanted === name) return;
    wanted = name;
    want(node);
  };
  return {
    dialect: dialectOf(node),
    now: () => {
      const at = current();
      const serving = at && wholeOf(at);
      if (serving === undefined) wantOnce(at?.name ?? "");
      return serving;
    },
    afterTimeout: () => {
      const at = current();
      return at && outboundOf(at);
    },
    recent: () => (recent?.() ?? []).flatMap((edition) => servedBefore(node, edition)),
    leave: () => {
      found = undefined;
    },
  };
}

/** Places a node anew only if its directory entries or the rules changed. */
function findPlace(node: NodeMessage, loaded: Loaded, before: Place | undefined): Place | undefined {
  const { rules } = loaded;
  const known = before?.read.answersAlike(loaded.directory) ? before : undefined;
  if (known !== undefined && known.rules === rules) return { ...known, loaded };
  const read = known?.read ?? readDirectory(loaded.directory);
  const facts = known?.facts ?? findFacts(node, read);
  if ("error" in facts) return before;
  const placement = place(facts, rules);
  if ("wanted" in placement) return { loaded, rules, read, facts, layers: undefined, name: layerKey("scope", placement.wanted) };
  return { loaded, rules, read, facts, layers: placement.layers, name: placement.layers.map(({ key }) => key).join("\n") };
}

function wholeOf({ loaded, layers }: Place): Serving | undefined {
  return layers === undefined ? undefined : servingOf(loaded, layers);
}

function servedBefore(node: NodeMessage, loaded: Loaded): readonly Serving[] {
  const at = findPlace(node, loaded, undefined);
  const serving = at && wholeOf(at);
  return serving === undefined ? [] : [serving];
}

/** What is seen outwards can be served without what decides who may come in: there is then no inbound listener at all. */
function outboundOf({ loaded, layers }: Place): Serving | undefined {
  return layers === undefined
    ? undefined
    : servingOf(
        loaded,
        layers.filter(({ kind }) => kind === "scope" || kind === "vantage"),
      );
}

function servingOf(loaded: Loaded, layers: readonly PlacedLayer[]): Serving | undefined {
  const keys = layers.map(({ key }) => key);
  return loaded.missing(keys).length > 0 ? undefined : { view: loaded.view(keys), blobs: loaded.blobs };
}
