import { diffLayers } from "#core/edition/diff.ts";
import type { Edition } from "#core/edition/edition.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { type Build, type BuildInput, build } from "#core/pipeline/build.ts";
import { type CensusNode, storedCensus } from "#core/pipeline/census.ts";
import type { PublishContext } from "#core/store/context.ts";
import type { Head } from "#core/store/head.ts";
import { loadHead } from "#core/store/load.ts";
import { publish } from "#core/store/publish.ts";
import type { Log } from "../io/log.ts";
import { openRetry } from "./retry.ts";

/** What a writer compiles now; parts that did not change keep their identity. */
export type Sources = Pick<BuildInput, "inventory" | "options" | "allocate" | "admission">;

export interface WriterOptions {
  readonly context: PublishContext;
  readonly log: Log;
  readonly builder: string;
  /** The present state of the sources, called once for each build; undefined while they were not all listed once: nothing is built then. */
  readonly sources: () => Sources | undefined;
  /** Called with what a build found wrong, once it is published. */
  readonly onDiagnostics?: (diagnostics: readonly Diagnostic[]) => void;
}

/** Compiles and publishes, one edition at a time; what happens meanwhile goes into the next. */
export interface Writer {
  /** What this process last published or found published. */
  readonly head: () => Head | undefined;
  readonly build: () => Build | undefined;
  /** Something changed: builds at once, or right after the build that is under way. Resolves when an edition with the change is published. */
  readonly changed: () => Promise<void>;
  /** Nodes that asked: what they need is compiled if nothing fits them yet. */
  readonly compileFor: (nodes: readonly CensusNode[]) => Promise<void>;
  readonly onPublished: (listener: () => void) => () => void;
  readonly stop: () => Promise<void>;
}

/** A publisher that lost the race loads again and builds on that; after this many losses it waits for the next change. */
const RACES = 5;
/** Nodes remembered; the ones that asked longest ago go first. */
const CENSUS_SIZE = 10_000;

/** Opens a writer on a store. Throws if the store can't be read. */
export async function openWriter({ context, log, builder, sources, onDiagnostics }: WriterOptions): Promise<Writer> {
  const listeners = new Set<() => void>();
  const first = await loadHead(context);
  let head = first.outcome === "empty" ? undefined : first.head;
  /** What is built on: the head's edition, or the last one of this process where somebody emptied the store, so that generations go on. */
  let base = head?.edition;
  /** What front-ends of this process serve. */
  let served = head;
  const census = new Map((head === undefined ? [] : storedCensus(head.edition.census)).map((one) => [one.node.id, one]));
  // The same list until a node asks: it is how a build knows.
  let asked: readonly CensusNode[] = [...census.values()];
  let last: Build | undefined;
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;
  let stopped = false;
  const retry = openRetry(log);
  const faults = faultLog(log);

  /** Takes over what another writer published. */
  const concede = async (race: number): Promise<void> => {
    log.info("another writer published first; building on its edition", { race });
    const loaded = await loadHead(context, head);
    head = loaded.outcome === "empty" ? undefined : loaded.head;
    base = head?.edition ?? base;
    served = head ?? served;
  };

  /** Builds on the base and publishes; false if another writer was faster. */
  const publishOnce = async (present: Sources): Promise<boolean> => {
    const started = performance.now();
    const before = base;
    const result = build({ ...present, census: asked, sealer: context.sealer, builder }, before, last);
    const publication = await publish(context, head, result.edition);
    if (publication.outcome === "lost") return false;
    head = publication.head;
    base = head.edition;
    served = head;
    last = result;
    faults(result.faults);
    onDiagnostics?.(result.diagnostics);
    if (publication.outcome === "published") {
      logEdition(log, before, result.edition, { bytes: publication.bytes, milliseconds: Math.round(performance.now() - started) });
      for (const listener of listeners) listener();
    }
    return true;
  };

  const once = async (): Promise<void> => {
    for (let race = 1; race <= RACES && !stopped; race++) {
      const present = sources();
      if (present === undefined || (await publishOnce(present))) return;
      await concede(race);
    }
    if (!stopped) log.warn("other writers keep publishing first; waiting for the next change");
  };

  const untilPublished = async (): Promise<void> => {
    while (!stopped) {
      try {
        await once();
        return retry.worked();
      } catch (error) {
        await retry.failed(error);
      }
    }
  };

  /** At most one build runs and one more waits: it will see everything that happened before it starts. */
  const changed = (): Promise<void> => {
    if (running === undefined) {
      running = untilPublished().finally(() => {
        running = undefined;
      });
      return running;
    }
    retry.news();
    waiting ??= running.then(() => {
      waiting = undefined;
      return changed();
    });
    return waiting;
  };

  return {
    head: () => served,
    build: () => last,
    changed,
    compileFor: (nodes) => {
      for (const one of nodes) {
        census.delete(one.node.id);
        census.set(one.node.id, one);
        const [oldest] = census.keys();
        if (census.size > CENSUS_SIZE && oldest !== undefined) census.delete(oldest);
      }
      asked = [...census.values()];
      return changed();
    },
    onPublished: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: async () => {
      stopped = true;
      retry.stop();
      await running;
    },
  };
}

/** Logs the causes of what could not be made, each once until it is gone. */
function faultLog(log: Log): (faults: readonly unknown[]) => void {
  let told: ReadonlySet<string> = new Set();
  return (faults) => {
    const present = new Map(faults.map((fault) => [String(fault), fault]));
    for (const [text, error] of present) if (!told.has(text)) log.error("a fault of Almanac's own; what it touches stays as it was", { error });
    told = new Set(present.keys());
  };
}

/** One line an edition: what caused it and what it touched. */
function logEdition(log: Log, before: Edition | undefined, after: Edition, cost: { readonly bytes: number; readonly milliseconds: number }): void {
  const layers = diffLayers(before, after);
  const resources = layers.reduce((sum, layer) => sum + layer.resources.length, 0);
  const { total, keys } = after.cause;
  const cause =
    total > 3
      ? `${keys.slice(0, 3).join(" ")} and ${total - 3} more`
      : keys.join(" ") || (before?.census === after.census ? "objects that are refused" : "nodes that asked");
  log.info("edition", { generation: after.generation, cause, layers: layers.length, resources, ...cost });
}
