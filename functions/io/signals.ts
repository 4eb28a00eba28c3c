/** Resolves when the process is asked to end: SIGINT or SIGTERM. A second signal ends it at once. */
export function untilAsked(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const asked = (signal: NodeJS.Signals): void => {
      process.once(signal, () => process.exit(1));
      resolve(signal);
    };
    process.once("SIGINT", asked);
    process.once("SIGTERM", asked);
  });
}
