import type { ResourceType } from "#core/edition/resource.ts";
import type { Item } from "./offer.ts";

/** One response, by names and digests; the transport adds the bytes. */
export interface Answer {
  readonly url: string;
  /** Of exactly the resources in `items`. */
  readonly version: string;
  readonly nonce: string;
  /** The same array wherever the same resources are answered, so that bytes can be made once for all streams. */
  readonly items: readonly Item[];
  /** Delta only. */
  readonly removed: readonly string[];
}

/** Something worth a log line or a count; nothing depends on it. */
export type Note =
  | { readonly event: "ack"; readonly type: ResourceType; readonly version: string }
  | {
      readonly event: "nack";
      readonly type: ResourceType;
      readonly version: string;
      readonly nonce: string;
      readonly code: number;
      readonly message: string;
    }
  | { readonly event: "hold-expired"; readonly type: ResourceType; readonly names: readonly string[] }
  | { readonly event: "unserved-type"; readonly url: string };

/** What a step wants done, in this order. */
export type Output =
  | { readonly kind: "send"; readonly answer: Answer }
  /** Ends the stream with INVALID_ARGUMENT. */
  | { readonly kind: "reject"; readonly message: string }
  /** A tick is wanted at this moment; it replaces the moment asked for before. Undefined: none. */
  | { readonly kind: "wake"; readonly at: number | undefined }
  | { readonly kind: "note"; readonly note: Note };
