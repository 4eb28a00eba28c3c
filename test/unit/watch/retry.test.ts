import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import type { Log } from "#functions/io/log.ts";
import { openRetry } from "#functions/watch/retry.ts";

const lines: string[] = [];
const note = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
const log: Log = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") };

beforeEach((context) => {
  lines.length = 0;
  mock.timers.enable({ apis: ["setTimeout"] });
  (context as { after: (fn: () => void) => void }).after(() => mock.timers.reset());
});

/** Milliseconds until a wait is over, with `act` done after `at` milliseconds. */
async function waited(over: Promise<void>, at = Number.POSITIVE_INFINITY, act: () => void = () => {}): Promise<number> {
  let done = false;
  void over.then(() => {
    done = true;
  });
  for (let passed = 0; passed <= 60_000; passed += 500) {
    if (passed === at) act();
    await Promise.resolve();
    await Promise.resolve();
    if (done) return passed;
    mock.timers.tick(500);
  }
  throw new Error("the wait never ends");
}

test("each wait is twice as long as the one before, up to half a minute", async () => {
  const retry = openRetry(log);
  const waits: number[] = [];
  for (let count = 0; count < 7; count++) waits.push(await waited(retry.failed(new Error("no disk"))));
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  retry.worked();
  assert.equal(await waited(retry.failed(new Error("no disk"))), 1_000);
});

test("the same failure is one line in the log, another is another, and the end of it is told", async () => {
  const retry = openRetry(log);
  for (const message of ["no disk", "no disk", "no disk", "no network"]) await waited(retry.failed(new Error(message)));
  retry.worked();
  retry.worked();
  assert.deepEqual(
    lines.filter((line) => !line.startsWith("debug")).map((line) => line.split(" ")[0]),
    ["error", "error", "info"],
  );
});

test("news ends a wait, but not before the shortest one is over", async () => {
  const retry = openRetry(log);
  for (let count = 0; count < 4; count++) await waited(retry.failed(new Error("no disk")));
  assert.equal(await waited(retry.failed(new Error("no disk")), 5_000, retry.news), 5_000);
  assert.equal(await waited(retry.failed(new Error("no disk")), 500, retry.news), 1_000);
});

test("stopping ends every wait at once", async () => {
  const retry = openRetry(log);
  assert.equal(await waited(retry.failed(new Error("no disk")), 500, retry.stop), 500);
  assert.equal(await waited(retry.failed(new Error("no disk"))), 0);
});
