import type { Loaded } from "#core/edition/loaded.ts";
import type { EditionSource } from "#core/xds/serving.ts";
import { servedEdition } from "../front/served-edition.ts";
import type { Writer } from "../watch/writer.ts";

/** The editions that a writer of this process publishes, for servers in the same process: nothing is read back from the store. */
export function writerSource(writer: Writer): EditionSource & { readonly loaded: () => Loaded | undefined } {
  return {
    loaded: () => writer.head()?.loaded,
    served: () => {
      const head = writer.head();
      return head && servedEdition(head);
    },
    health: () => ({ accepts: true }),
    onChange: writer.onPublished,
  };
}
