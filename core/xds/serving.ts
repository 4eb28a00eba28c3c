import type { Blobs, View } from "#core/edition/view.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import type { Dialect } from "#core/node/facts.ts";
import type { NodeMessage } from "#core/node/message.ts";

/** What one node is served now. Nodes with the same layers share one View object: what the protocol computes of it is then computed once. */
export interface Serving {
  readonly view: View;
  /** Holds at least every digest that `view` names, for as long as somebody holds this value. */
  readonly blobs: Blobs;
}

/** A node that was understood, and its place in every edition to come. */
export interface Seat {
  readonly dialect: Dialect;
  /**
   * What the node is served from the edition served now; undefined while no layer fits it. Asked again after each edition: it places the node anew only
   * when the node's directory entry, or rules that it read, changed.
   */
  readonly now: () => Serving | undefined;
  /** What may be served without the missing layers once the place timeout has passed: never less security than meant, so maybe nothing. */
  readonly afterTimeout: () => Serving | undefined;
  /** What the node was served from editions before, newest first: clients come back with it from a stream that broke. */
  readonly recent: () => readonly Serving[];
  /** The client is gone. */
  readonly leave: () => void;
}

/** A node that can't be understood: the sentence goes to the client. */
export interface Refused {
  readonly error: string;
}

/** Finds what a node is served. A node that no layer fits is reported to whoever can render it; its seat then serves as soon as that has landed. */
export interface Placer {
  readonly place: (node: NodeMessage) => Promise<Seat | Refused>;
}

/** The edition that is served, as people and probes ask for it. */
export interface ServedEdition {
  readonly generation: number;
  /** Digest that names the edition. */
  readonly edition: string;
  /** A rollback or pin is on: what is served differs from the head. */
  readonly pinned: boolean;
  /** Further plain facts for pages and the management API: cause, builder, layers… */
  readonly details: Readonly<Record<string, unknown>>;
  /** What is wrong with the objects that it was made of; read when asked for. */
  readonly diagnostics: () => readonly Diagnostic[];
}

/** Where editions come from. */
export interface EditionSource {
  /** Undefined until an edition is served. */
  readonly served: () => ServedEdition | undefined;
  /** Whether new streams may be accepted, and if something is amiss, what: a writer that is gone, a store that can't be reached. */
  readonly health: () => { readonly accepts: boolean; readonly trouble?: string };
  /** Calls back after the served edition changed, and after layers were added to it. Returns the way to stop that. */
  readonly onChange: (listener: () => void) => () => void;
}
