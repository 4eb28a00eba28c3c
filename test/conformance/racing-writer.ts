import { loadHead } from "#core/store/load.ts";
import { publish } from "#core/store/publish.ts";
import { fileStore } from "#functions/io/fs.ts";
import { edition, layer, resource } from "../unit/edition/sample.ts";
import { contextOf } from "../unit/store/sample.ts";

/**
 * A process of its own that publishes as often as told, against others: `racing-writer.ts FOLDER NAME TIMES`. In each edition all resources say who wrote it and
 * when. Prints how often it won and lost.
 */
const [folder = "", name = "", times = "0"] = process.argv.slice(2);
const context = contextOf(fileStore(folder), { now: Date.now });
const counts = { published: 0, unchanged: 0, lost: 0 };
while (counts.published < Number(times)) {
  const read = await loadHead(context);
  const head = read.outcome === "loaded" ? read.head : undefined;
  const text = `${name} ${counts.published}`;
  const resources = Array.from({ length: 100 }, (_, index) => resource("endpoints", `e${index}`, text));
  const next = edition({ a: layer(resources, head?.loaded.layer("a")) }, head?.edition);
  counts[(await publish(context, head, next)).outcome]++;
}
process.stdout.write(JSON.stringify(counts));
