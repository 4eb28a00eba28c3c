import type { LayerContents } from "#core/edition/layer.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";

/** A layer's contents, and what its users should know. */
export interface RenderedLayer {
  readonly contents: LayerContents;
  readonly diagnostics: readonly Diagnostic[];
}

/** One list for all layers whose users need know nothing. */
export const NOTHING_SAID: readonly Diagnostic[] = [];
