import { type Needs, NO_NEEDS, type ResourceType } from "#core/edition/resource.ts";
import type { Entry, View } from "#core/edition/view.ts";

/** One resource in a sketch: its content, any text, and what it needs. */
export interface Sketched extends Partial<Needs> {
  readonly v: string | number;
}

export type Sketch = Partial<Readonly<Record<ResourceType, Readonly<Record<string, Sketched>>>>>;

let generations = 0;

/** A view made by hand: digests are `name@v`, so that transcripts can be read. */
export function sketchView(sketch: Sketch): View {
  generations += 1;
  const entries = new Map<string, Entry>();
  const names = new Map<ResourceType, string[]>();
  for (const [type, resources] of Object.entries(sketch) as [ResourceType, Readonly<Record<string, Sketched>>][]) {
    names.set(type, Object.keys(resources).sort());
    for (const [name, { v, ...needs }] of Object.entries(resources))
      entries.set(`${type}/${name}`, { digest: `${name}@${v}`, needs: { ...NO_NEEDS, ...needs } });
  }
  return {
    generation: generations,
    id: String(generations),
    names: (type) => names.get(type) ?? [],
    get: (type, name) => entries.get(`${type}/${name}`),
  };
}
