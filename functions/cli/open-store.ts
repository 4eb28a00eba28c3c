import type { PublishContext } from "#core/store/context.ts";
import { reasonAt } from "../io/file-error.ts";
import { type KeyPolicy, storeContext } from "../io/store-context.ts";
import { CommandFailure } from "./failure.ts";

/** Opens a store and what publishing to it needs. Throws {@link CommandFailure} for a URL or key that can't be used. */
export async function openStoreContext(url: string, keys: KeyPolicy = "given"): Promise<PublishContext> {
  const context = await atStore(url, () => storeContext(url, keys));
  if ("error" in context) throw new CommandFailure(context.error);
  return context;
}

/** Does something that only the store can fail at. Throws {@link CommandFailure} naming it. */
export async function atStore<T>(url: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof CommandFailure ? error : new CommandFailure(`--store ${url}: ${reasonAt(error)}`);
  }
}
