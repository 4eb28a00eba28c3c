import { lookUp } from "#core/lib/trie.ts";
import type { Directory } from "#core/node/directory.ts";
import type { Rules } from "#core/node/rules.ts";
import { storedDirectory } from "./directory.ts";
import type { Edition } from "./edition.ts";
import { storedBytes } from "./entry.ts";
import { FreshResources } from "./fresh-resources.ts";
import type { Layer } from "./layer.ts";
import { LayerNameCache } from "./layer-names.ts";
import type { OpenPack } from "./open-pack.ts";
import { type OverlaidLayer, overlay } from "./overlay.ts";
import { storedRules } from "./rules.ts";
import { openRecord, type Sealer } from "./sealer.ts";
import type { Blobs, View } from "./view.ts";

/**
 * An edition ready to be served: made from a store's packs, or at once from an edition just built (same interface, no bytes in between).
 * Places nodes and serves them with the rules and directory of the one edition that it is.
 */
export interface Loaded {
  readonly edition: Edition;
  readonly generation: number;
  readonly rules: Rules;
  readonly directory: Directory;
  /** Resolves every digest that this edition's layers name, for as long as it is held. */
  readonly blobs: Blobs;
  layer(key: string): Layer | undefined;
  /** Keys of those layers that the edition does not have. */
  missing(layerKeys: readonly string[]): readonly string[];
  /** Layers laid over each other in the given order; keys that the edition does not have are left out. The same object for the same keys. */
  view(layerKeys: readonly string[]): View;
}

/** Packs that hold an edition. */
export interface Stored {
  readonly packs: readonly OpenPack[];
  readonly sealer: Sealer | undefined;
}

/**
 * Readies an edition for serving that was built in this process, at least in parts; `stored` is where the other parts are. `previous` is what this process served
 * before: what it knows of unchanged layers is kept.
 */
export function loadedOf(edition: Edition, previous?: Loaded, stored?: Stored): Loaded {
  const before = known(previous);
  return new LoadedEdition(edition, { fresh: FreshResources.built(edition, before?.fresh), previous: before, stored });
}

/** Readies an edition for serving that was read from a store; nothing of it is looked at before it is asked for. */
export function reloadedOf(edition: Edition, stored: Stored, previous?: Loaded): Loaded {
  const before = known(previous);
  return new LoadedEdition(edition, { fresh: FreshResources.read(edition, before?.fresh), previous: before, stored });
}

interface Surroundings {
  readonly fresh: FreshResources;
  readonly previous: LoadedEdition | undefined;
  readonly stored: Stored | undefined;
}

function known(previous: Loaded | undefined): LoadedEdition | undefined {
  return previous instanceof LoadedEdition ? previous : undefined;
}

class LoadedEdition implements Loaded {
  readonly edition: Edition;
  readonly blobs: Blobs;
  readonly directory: Directory;
  readonly #stored: Stored | undefined;
  readonly #names: Map<string, LayerNameCache>;
  readonly #views = new Map<string, View>();
  readonly fresh: FreshResources;

  constructor(edition: Edition, { fresh, previous, stored }: Surroundings) {
    this.edition = edition;
    this.fresh = fresh;
    this.#stored = stored;
    this.#names = previous === undefined ? new Map() : previous.#names;
    for (const key of this.#names.keys()) if (lookUp(edition.layers, key) === undefined) this.#names.delete(key);
    this.directory = storedDirectory(edition.directory);
    this.blobs = { bytes: (digest) => this.#bytes(digest) };
  }

  get generation(): number {
    return this.edition.generation;
  }

  get rules(): Rules {
    return storedRules(this.edition.rules);
  }

  layer(key: string): Layer | undefined {
    return lookUp(this.edition.layers, key);
  }

  missing(layerKeys: readonly string[]): readonly string[] {
    return layerKeys.filter((key) => this.layer(key) === undefined);
  }

  view(layerKeys: readonly string[]): View {
    const id = layerKeys.join("\n");
    const view =
      this.#views.get(id) ??
      overlay(
        this.generation,
        layerKeys.flatMap((key) => this.#overlaid(key)),
      );
    this.#views.set(id, view);
    return view;
  }

  #overlaid(key: string): readonly OverlaidLayer[] {
    const layer = this.layer(key);
    if (layer === undefined) return [];
    const names = this.#names.get(key) ?? new LayerNameCache();
    this.#names.set(key, names);
    return [{ resources: layer.resources, names: () => names.of(layer.resources) }];
  }

  #bytes(digest: string): Uint8Array {
    const fresh = this.fresh.find(digest);
    return fresh === undefined ? storedBytes(this.#record(digest), (piece) => this.#record(piece)) : fresh.bytes;
  }

  #record(digest: string): Uint8Array {
    for (const pack of this.#stored?.packs.toReversed() ?? []) {
      const record = pack.read(digest);
      const content = record && openRecord(record, digest, this.#stored?.sealer);
      if (content !== undefined) return content;
    }
    throw new Error(`edition ${this.edition.id} does not name ${digest}`);
  }
}
