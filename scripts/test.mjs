// `npm test`, also on a fresh clone: installs what the tests need, then runs them with node's test runner.
// Arguments pick test files by a part of their path: `npm test -- unit/lib stories/`.
import { installComponents } from "./components.mjs";
import { install, listFiles, run } from "./project.mjs";

// Of a whole file; a test that waits for something has a shorter `timeout` of its own. Long runs take up to half an hour for a file, shards of them a part of it.
const TIMEOUT_MS = process.env.ALMANAC_THOROUGH === "1" ? 3_600_000 : 300_000;

if (!install()) run(process.execPath, ["scripts/generate.mjs"]);
installComponents();
// Stories start the command line as a user does.
run(process.execPath, ["scripts/build.mjs"]);

const picked = process.argv.slice(2);
const files = listFiles(["test"], [".test.ts"]).filter((path) => picked.length === 0 || picked.some((part) => path.includes(part)));
if (files.length === 0) {
  console.error(`almanac: no test file has ${picked.join(" or ")} in its path.`);
  process.exit(1);
}
const reporters = ["spec", "./scripts/totals.mjs"].flatMap((reporter) => [`--test-reporter=${reporter}`, "--test-reporter-destination=stdout"]);
run(process.execPath, ["--import", "tsx", "--test", "--test-concurrency=2", `--test-timeout=${TIMEOUT_MS}`, ...reporters, ...files]);
