import type { PublishContext } from "#core/store/context.ts";
import { type KeyPolicy, storeContext } from "../io/store-context.ts";
import { CommandFailure } from "./failure.ts";

/** Opens a store and what publishing to it needs. Throws {@link CommandFailure} for a URL or key that can't be used. */
export async function openStoreContext(url: string, keys: KeyPolicy = "given"): Promise<PublishContext> {
  const context = await storeContext(url, keys);
  if ("error" in context) throw new CommandFailure(context.error);
  return context;
}
