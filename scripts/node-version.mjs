// Imported first by every script: an older Node fails in ways that do not name the reason.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Almanac needs Node 20.19 or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}
