import type { Needs, ResourceType } from "./resource.ts";

/** One resource as a front-end knows it before it fetches bytes. */
export interface Entry {
  readonly digest: string;
  readonly needs: Needs;
}

/**
 * What one node is served from one edition: its layers laid over each other, a later one winning name by name, *absent* included.
 * The protocol reads editions through this alone; it moves names and digests, never bytes.
 */
export interface View {
  readonly generation: number;
  /** Digest over the node's layers in order: equal ids mean that nothing changed for this node. */
  readonly id: string;
  /** Names of one type, sorted. */
  names(type: ResourceType): readonly string[];
  get(type: ResourceType, name: string): Entry | undefined;
}

/** Where the bytes of a digest come from. Throws for a digest that no loaded edition names. */
export interface Blobs {
  bytes(digest: string): Uint8Array;
}
