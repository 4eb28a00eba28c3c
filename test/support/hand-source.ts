import { dialectOf } from "#core/node/dialect.ts";
import type { NodeMessage } from "#core/node/message.ts";
import type { EditionSource, Placer, Refused, Seat, ServedEdition, Serving } from "#core/xds/serving.ts";
import { type HandMade, handServing } from "./hand-edition.ts";

/** Editions by hand: every node is served the same. */
export class HandSource implements EditionSource, Placer {
  trouble: string | undefined;
  accepts = true;
  seats = 0;
  #generation = 0;
  #serving: Serving | undefined;
  #before: readonly Serving[] = [];
  readonly #listeners = new Set<() => void>();
  readonly placed: NodeMessage[] = [];

  publish(resources: readonly HandMade[]): void {
    this.#generation += 1;
    if (this.#serving !== undefined) this.#before = [this.#serving, ...this.#before].slice(0, 8);
    this.#serving = handServing(this.#generation, resources);
    for (const listener of this.#listeners) listener();
  }

  served = (): ServedEdition | undefined =>
    this.#serving === undefined
      ? undefined
      : { generation: this.#generation, edition: this.#serving.view.id, pinned: false, details: {}, diagnostics: () => [] };

  health = () => ({ accepts: this.accepts, ...(this.trouble !== undefined && { trouble: this.trouble }) });

  onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  place = async (node: NodeMessage): Promise<Seat | Refused> => {
    if (node.id === "") return { error: "the node has no id" };
    this.placed.push(node);
    this.seats += 1;
    return {
      dialect: dialectOf(node),
      now: () => this.#serving,
      afterTimeout: () => undefined,
      recent: () => this.#before,
      leave: () => {
        this.seats -= 1;
      },
    };
  };
}
