// `npm run envoy -- -c FILE`: runs the official Envoy, which is installed first if need be. Several run side by side.
import { spawn } from "node:child_process";
import { envoyBinary, installComponents } from "./components.mjs";

installComponents();
const args = ["--use-dynamic-base-id", "--log-level", "warning", ...process.argv.slice(2)];
const envoy = spawn(envoyBinary(), args, { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => envoy.kill(signal));
envoy.on("close", (code) => process.exit(code ?? 1));
