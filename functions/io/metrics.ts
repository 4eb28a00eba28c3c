/** A number that people watch, in the exposition format of Prometheus (text, version 0.0.4). */
export interface Metrics {
  readonly counter: (name: string, help: string) => (labels?: Labels, by?: number) => void;
  readonly gauge: (name: string, help: string, read: () => number | readonly Sample[]) => void;
  readonly histogram: (name: string, help: string, bounds: readonly number[]) => (value: number, labels?: Labels) => void;
  readonly text: () => string;
}

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

interface Family {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly lines: (name: string) => readonly string[];
}

/** A registry of its own; several in one process do not mix. */
export function openMetrics(): Metrics {
  const families = new Map<string, Family>();
  return {
    counter: (name, help) => {
      const values = new Map<string, number>();
      families.set(name, { type: "counter", help, lines: () => [...values].map(([labels, value]) => `${name}${labels} ${value}`) });
      return (labels = {}, by = 1) => {
        const key = labelText(labels);
        values.set(key, (values.get(key) ?? 0) + by);
      };
    },
    gauge: (name, help, read) => {
      families.set(name, { type: "gauge", help, lines: () => samplesOf(read()).map(({ labels, value }) => `${name}${labelText(labels)} ${value}`) });
    },
    histogram: (name, help, bounds) => {
      const values = new Map<string, Distribution>();
      families.set(name, { type: "histogram", help, lines: () => [...values.values()].flatMap((one) => distributionLines(name, bounds, one)) });
      return (value, labels = {}) => observe(values, bounds, value, labels);
    },
    text: () =>
      [...families]
        .map(([name, family]) => [`# HELP ${name} ${family.help}`, `# TYPE ${name} ${family.type}`, ...family.lines(name), ""].join("\n"))
        .join(""),
  };
}

interface Distribution {
  readonly labels: Labels;
  readonly counts: number[];
  count: number;
  sum: number;
}

function observe(values: Map<string, Distribution>, bounds: readonly number[], value: number, labels: Labels): void {
  const key = labelText(labels);
  const one = values.get(key) ?? { labels, counts: bounds.map(() => 0), count: 0, sum: 0 };
  values.set(key, one);
  one.count += 1;
  one.sum += value;
  bounds.forEach((bound, index) => {
    if (value <= bound) one.counts[index] = (one.counts[index] ?? 0) + 1;
  });
}

function distributionLines(name: string, bounds: readonly number[], { labels, counts, count, sum }: Distribution): string[] {
  const buckets = bounds.map((bound, index) => `${name}_bucket${labelText({ ...labels, le: String(bound) })} ${counts[index]}`);
  return [
    ...buckets,
    `${name}_bucket${labelText({ ...labels, le: "+Inf" })} ${count}`,
    `${name}_sum${labelText(labels)} ${sum}`,
    `${name}_count${labelText(labels)} ${count}`,
  ];
}

function samplesOf(read: number | readonly Sample[]): readonly Sample[] {
  return typeof read === "number" ? [{ labels: {}, value: read }] : read;
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([key, value]) => `${key}="${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`,
  );
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}
