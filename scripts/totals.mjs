// A reporter of node's test runner that closes with one plain line: `N passed, N failed`.
export default async function* totals(events) {
  const counts = {};
  for await (const { type, data } of events) {
    // The runner's own closing lines, for example "pass 12".
    const closing = type === "test:diagnostic" && data.nesting === 0 ? /^(pass|fail|cancelled|skipped|todo) (\d+)$/.exec(data.message) : null;
    if (closing) counts[closing[1]] = Number(closing[2]);
  }
  const skipped = (counts.skipped ?? 0) + (counts.todo ?? 0);
  yield `${counts.pass ?? 0} passed, ${(counts.fail ?? 0) + (counts.cancelled ?? 0)} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`;
}
