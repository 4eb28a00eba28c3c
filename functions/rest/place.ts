import type { NodeMessage } from "#core/node/message.ts";
import type { EditionSource, Placer, Seat, Serving } from "#core/xds/serving.ts";
import { ServiceFailure } from "../io/errors.ts";

/** A poll is answered within Envoy's default `request_timeout` of one second, whatever is missing. */
const PATIENCE_MS = 700;

/** Finds what a node is served, for one answer. Throws {@link ServiceFailure}. */
export async function servingOf(node: NodeMessage, placer: Placer, source: EditionSource): Promise<Serving> {
  const seat = await placer.place(node);
  if ("error" in seat) throw new ServiceFailure("invalid", seat.error);
  try {
    const serving = seat.now() ?? (await soon(seat, source)) ?? seat.afterTimeout();
    if (serving === undefined) throw new ServiceFailure("not-ready", notReady(source));
    return serving;
  } finally {
    seat.leave();
  }
}

function notReady(source: EditionSource): string {
  return source.served() === undefined ? "no edition is served yet" : "nothing is compiled for this node yet; it was asked for";
}

/** Waits for layers that are on their way. */
function soon(seat: Seat, source: EditionSource): Promise<Serving | undefined> {
  return new Promise((resolve) => {
    const finish = (serving: Serving | undefined): void => {
      clearTimeout(timer);
      forget();
      resolve(serving);
    };
    const timer = setTimeout(() => finish(undefined), PATIENCE_MS);
    const forget = source.onChange(() => {
      const serving = seat.now();
      if (serving !== undefined) finish(serving);
    });
  });
}
