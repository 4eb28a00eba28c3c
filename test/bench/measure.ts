/** CPU time that the process itself took, in milliseconds: garbage collection and compilation on other threads included. */
export function timed<T>(act: () => T): { readonly cpu: number; readonly result: T } {
  const before = process.cpuUsage();
  const result = act();
  return { cpu: cpuSince(before), result };
}

export function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** One line of a report: a figure, its unit, and what it is measured by. */
export function line(what: string, figure: number, unit: string, comparison = ""): string {
  return `${what.padEnd(58)} ${figure.toFixed(2).padStart(9)} ${unit}${comparison === "" ? "" : `, ${comparison}`}`;
}
