import { readFileSync } from "node:fs";
import { Command } from "commander";
import { readNodeMessage } from "#core/node/message.ts";
import { SERVER_DEFAULTS } from "../front/settings.ts";
import { type HostPort, parseHostPort } from "../io/listen.ts";
import { envoyBootstrap, grpcBootstrap, type NodeJson, nodeJson, type Transport } from "./bootstrap-documents.ts";
import { CommandFailure } from "./failure.ts";
import { flag, repeatable } from "./flags.ts";

interface NodeOptions {
  readonly node?: string;
  readonly type: "sidecar" | "router";
  readonly name: string;
  readonly namespace: string;
  readonly address: string;
  readonly clusterId: string;
  readonly domain: string;
  readonly label?: readonly string[];
  readonly metadata?: readonly string[];
  readonly locality: string;
}

interface EnvoyOptions extends NodeOptions {
  readonly ads: Transport;
  readonly server?: string;
  readonly admin: string;
}

/** `almanac bootstrap`: how a client gets to its control plane. */
export function bootstrapCommand(): Command {
  const envoy = addNodeOptions(new Command("envoy").description("Write an Envoy bootstrap as JSON: envoy -c FILE."))
    .addOption(
      flag("--ads PROTOCOL", "how it asks: an aggregated stream, state of the world or delta, or polling over REST")
        .choices(["sotw", "delta", "rest"])
        .default("delta"),
    )
    .addOption(flag("--server HOST:PORT", `the control plane (default: ${SERVER_DEFAULTS.grpc}, for rest ${SERVER_DEFAULTS.http})`))
    .addOption(flag("--admin HOST:PORT", "Envoy's own admin interface; port 0 takes a free one", "127.0.0.1:15000"))
    .action((options: EnvoyOptions) => print(writeEnvoy(options)));
  const grpc = addNodeOptions(
    new Command("grpc").description(
      "Write a gRPC xDS bootstrap as JSON: GRPC_XDS_BOOTSTRAP=FILE, target xds:///NAME.NAMESPACE.svc.cluster.local:PORT.",
    ),
  )
    .addOption(flag("--server HOST:PORT", "the control plane", SERVER_DEFAULTS.grpc))
    .action((options: NodeOptions & { readonly server: string }) => print(grpcBootstrap(nodeOf(options), hostPort("--server", options.server))));
  return new Command("bootstrap").description("Write what an Envoy or a gRPC client needs to start.").addCommand(envoy).addCommand(grpc);
}

function addNodeOptions(command: Command): Command {
  return command
    .addOption(flag("--node FILE", "an xDS Node as JSON; it says all that the options below say"))
    .addOption(flag("--type TYPE", "what the proxy is", "sidecar").choices(["sidecar", "router"]))
    .addOption(flag("--name NAME", "name of the Pod or machine", "proxy"))
    .addOption(flag("--namespace NAMESPACE", "its namespace", "default"))
    .addOption(flag("--address IP", "its own address; what is known of it is found by that", "127.0.0.1"))
    .addOption(flag("--cluster-id ID", "cluster that it is in", "Kubernetes"))
    .addOption(flag("--domain SUFFIX", "DNS suffix of the cluster", "cluster.local"))
    .addOption(repeatable("--label KEY=VALUE", "a label of its workload, which selectors match; may be given several times"))
    .addOption(repeatable("--metadata KEY=VALUE", "a further key of the node's metadata; may be given several times"))
    .addOption(flag("--locality REGION/ZONE/SUBZONE", "where it is", ""));
}

function writeEnvoy(options: EnvoyOptions) {
  const server = hostPort("--server", options.server ?? (options.ads === "rest" ? SERVER_DEFAULTS.http : SERVER_DEFAULTS.grpc));
  const admin = hostPort("--admin", options.admin);
  return envoyBootstrap(onThisHost(nodeOf(options), admin), { server, admin, transport: options.ads });
}

/** What listeners must keep off: privileged ports, if Envoy will run as whoever writes the bootstrap and that is not root, and Envoy's admin interface. */
function onThisHost(node: NodeJson, admin: HostPort): NodeJson {
  const metadata = {
    ...(process.getuid !== undefined && process.getuid() !== 0 && { UNPRIVILEGED_POD: "true" }),
    ...(admin.port > 0 && { ENVOY_ADMIN_PORT: admin.port }),
  };
  return { ...node, metadata: { ...metadata, ...(node.metadata as NodeJson | undefined) } };
}

function nodeOf(options: NodeOptions): NodeJson {
  if (options.node !== undefined) return readNodeFile(options.node);
  const { type, name, namespace, address, clusterId: cluster, domain, locality } = options;
  const labels = pairs("--label", options.label ?? []);
  return nodeJson({ type, name, namespace, address, cluster, domain, labels, metadata: pairs("--metadata", options.metadata ?? []), locality });
}

/** Throws {@link CommandFailure} (exit 2) for a file that can't be read or holds no node. */
function readNodeFile(file: string): NodeJson {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new CommandFailure(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`, 2);
  }
  const node = readNodeMessage(json);
  if ("error" in node) throw new CommandFailure(`${file}: ${node.error}`, 2);
  return json as NodeJson;
}

function pairs(option: string, list: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    list.map((pair) => {
      const at = pair.indexOf("=");
      if (at <= 0) throw new CommandFailure(`${option} ${pair}: wanted KEY=VALUE`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function hostPort(option: string, text: string): HostPort {
  const parsed = parseHostPort(text);
  if (parsed === undefined) throw new CommandFailure(`${option} ${text}: wanted HOST:PORT`);
  return parsed;
}

function print(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
}
