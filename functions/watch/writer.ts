import { diffLayers } from "#core/edition/diff.ts";
import type { Edition } from "#core/edition/edition.ts";
import type { Diagnostic } from "#core/lib/diagnostic.ts";
import { type Build, type BuildInput, build } from "#core/pipeline/build.ts";
import { type CensusNode, storedCensus } from "#core/pipeline/census.ts";
import { type Ground, groundOf, publishBuild } from "#core/pipeline/publish-build.ts";
import type { PublishContext } from "#core/store/context.ts";
import type { Head } from "#core/store/head.ts";
import { loadHead } from "#core/store/load.ts";
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

/** Nodes remembered; the ones that asked longest ago go first. */
const CENSUS_SIZE = 10_000;

/** Opens a writer on a store. Throws if the store can't be read. */
export async function openWriter({ context, log, builder, sources, onDiagnostics }: WriterOptions): Promise<Writer> {
  const listeners = new Set<() => void>();
  let ground = groundOf(await loadHead(context));
  /** What front-ends of this process serve. */
  let served = ground.head;
  const stand = (after: Ground): void => {
    ground = after;
    served = after.head ?? served;
  };
  const census = new Map((ground.edition === undefined ? [] : storedCensus(ground.edition.census)).map((one) => [one.node.id, one]));
  // The same list until a node asks: it is how a build knows.
  let asked: readonly CensusNode[] = [...census.values()];
  let last: Build | undefined;
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;
  let stopped = false;
  const retry = openRetry(log);
  const faults = faultLog(log);

  /** Builds on the ground and publishes. */
  const once = async (): Promise<void> => {
    let started = 0;
    const result = await publishBuild(context, ground, {
      make: (edition) => {
        started = performance.now();
        const present = stopped ? undefined : sources();
        return present && build({ ...present, census: asked, sealer: context.sealer, builder }, edition, last);
      },
      conceded: (after, race) => {
        log.info("another writer published first; building on its edition", { race });
        stand(after);
      },
    });
    if (result.outcome === "idle") return;
    if (result.outcome === "overtaken") {
      log.warn("other writers keep publishing first; waiting for the next change");
      return;
    }
    const before = ground.edition;
    stand({ head: result.head, edition: result.head.edition });
    last = result.build;
    faults(last.faults);
    onDiagnostics?.(last.diagnostics);
    if (result.outcome === "published") {
      logEdition(log, before, last.edition, { bytes: result.bytes, milliseconds: Math.round(performance.now() - started) });
      for (const listener of listeners) listener();
    }
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
