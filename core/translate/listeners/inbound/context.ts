import { memoize } from "#core/lib/memo.ts";
import type { ClassFrame, Frame } from "../../frames/frame.ts";
import type { ListenerSettings } from "../settings.ts";

/** What inbound listeners are spelled with, whatever they serve. */
export interface InboundContext {
  readonly settings: ListenerSettings;
  readonly frame: ClassFrame;
}

/** Gathers them; equal contexts are one value. */
export function inboundContext(settings: ListenerSettings, frame: Frame): InboundContext {
  return contextOf(settings, frame.inbound);
}

const contextOf = memoize((settings: ListenerSettings, frame: ClassFrame): InboundContext => ({ settings, frame }));
