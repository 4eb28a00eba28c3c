import type { ResourceType } from "#core/edition/resource.ts";
import type { Entry } from "#core/edition/view.ts";
import type { Input } from "#core/xds/input.ts";
import type { Answer } from "#core/xds/output.ts";
import { ruleOf, ruleOfUrl } from "#core/xds/resource-rules.ts";
import type { Protocol } from "#core/xds/session.ts";

type Request = Extract<Input, { kind: "request" | "delta-request" }>;
type Resources = Map<string, Entry>;

const CHILD: Partial<Record<ResourceType, ResourceType>> = { clusters: "endpoints", listeners: "routes" };

/**
 * How an Envoy behaves on an aggregated stream, as far as the protocol shows: it applies answers in order, acknowledges each, subscribes to what clusters and
 * listeners name, and uses a new cluster only after an endpoints answer that came later (read from Envoy's grpc_mux_impl.cc and delta_subscription_state.cc).
 */
export class ClientModel {
  readonly held: Record<ResourceType, Resources> = Object.fromEntries(
    ["clusters", "endpoints", "listeners", "routes", "secrets", "extensions", "names"].map((type) => [type, new Map()]),
  ) as Record<ResourceType, Resources>;
  /** Clusters that may not be used yet. */
  readonly cold = new Set<string>();
  /** Changed clusters whose new form waits for endpoints. */
  readonly warming = new Set<string>();
  readonly requests: Request[] = [];
  readonly nonces: string[] = [];
  readonly #protocol: Protocol;
  readonly #subscribed = new Map<ResourceType, readonly string[]>();
  readonly #last = new Map<ResourceType, { version: string; nonce: string }>();
  readonly #versions = new Map<ResourceType, string>();

  constructor(protocol: Protocol, before?: ClientModel) {
    this.#protocol = protocol;
    if (before !== undefined) this.#inherit(before);
    for (const type of ["clusters", "endpoints", "listeners", "routes"] as const) {
      const names = this.#wanted(type);
      if (type === "clusters" || type === "listeners" || names.length > 0) this.#open(type, names);
    }
  }

  /** Applies one answer and says so, or refuses it. */
  receive(answer: Answer, refuse = false): void {
    const { type } = ruleOfUrl(answer.url) ?? fail(`unknown type ${answer.url}`);
    this.nonces.push(answer.nonce);
    const names = [...answer.items.map(({ name }) => name), ...answer.removed];
    if (new Set(names).size !== names.length) fail(`a name twice in one answer: ${names}`);
    if (refuse) {
      this.#acknowledge(type, answer, "refused");
      return;
    }
    this.#apply(type, answer);
    this.#versions.set(type, answer.version);
    this.#acknowledge(type, answer);
    const child = CHILD[type];
    if (child !== undefined) this.#follow(child);
  }

  /** Routes in use that name a cluster which this client can't use. */
  broken(): string[] {
    const used = new Set([...this.held.listeners.values()].flatMap(({ needs }) => needs.routes));
    return [...this.held.routes].flatMap(([name, { digest, needs }]) =>
      used.has(name) ? needs.clusters.filter((cluster) => !this.#usable(cluster)).map((cluster) => `${digest} → ${cluster}`) : [],
    );
  }

  #usable(cluster: string): boolean {
    const entry = this.held.clusters.get(cluster);
    return (
      entry !== undefined &&
      !this.cold.has(cluster) &&
      entry.needs.endpoints.every((name) => (this.held.endpoints.get(name)?.digest ?? "empty") !== "empty")
    );
  }

  #inherit(before: ClientModel): void {
    for (const type of ["clusters", "endpoints", "listeners", "routes"] as const) {
      for (const [name, entry] of before.held[type]) this.held[type].set(name, entry);
    }
    for (const name of before.cold) this.cold.add(name);
    for (const name of before.warming) this.warming.add(name);
    for (const [type, version] of before.#versions) this.#versions.set(type, version);
  }

  #apply(type: ResourceType, { items, removed }: Answer): void {
    const held = this.held[type];
    const complete = this.#protocol === "sotw" && ruleOf(type).whole;
    const kept = new Set(items.map(({ name }) => name));
    for (const name of complete ? [...held.keys()].filter((known) => !kept.has(known)) : removed) this.#drop(type, name);
    const watched = ruleOf(type).whole ? kept : new Set(this.#subscribed.get(type));
    for (const { name, entry } of items.filter((item) => watched.has(item.name))) {
      if (type === "clusters" && held.get(name)?.digest !== entry.digest) this.#heat(name, entry, held.has(name));
      held.set(name, entry);
      if (type === "endpoints") this.#cool(name);
    }
  }

  #heat(name: string, { needs }: Entry, known: boolean): void {
    if (needs.endpoints.length === 0) return;
    this.warming.add(name);
    if (!known) this.cold.add(name);
  }

  #cool(endpoints: string): void {
    for (const cluster of [...this.warming]) {
      if (!(this.held.clusters.get(cluster)?.needs.endpoints.includes(endpoints) ?? false)) continue;
      this.warming.delete(cluster);
      this.cold.delete(cluster);
    }
  }

  #drop(type: ResourceType, name: string): void {
    // Envoy ignores the removal of routes and of endpoints it still wants.
    if (type === "routes" || type === "endpoints") return;
    this.held[type].delete(name);
    if (type === "clusters") for (const set of [this.warming, this.cold]) set.delete(name);
  }

  #wanted(type: ResourceType): readonly string[] {
    const parents = type === "endpoints" ? this.held.clusters : type === "routes" ? this.held.listeners : new Map<string, Entry>();
    return [...new Set([...parents.values()].flatMap(({ needs }) => (type === "endpoints" ? needs.endpoints : needs.routes)))].sort();
  }

  #follow(child: ResourceType): void {
    const wanted = this.#wanted(child);
    const before = this.#subscribed.get(child);
    if (before === undefined) {
      if (wanted.length > 0) this.#open(child, wanted);
      return;
    }
    if (before.join() === wanted.join()) return;
    this.#subscribed.set(child, wanted);
    for (const name of this.held[child].keys()) if (!wanted.includes(name)) this.held[child].delete(name);
    if (this.#protocol === "sotw") this.#ask(child);
    else
      this.#tell(child, { subscribe: wanted.filter((name) => !before.includes(name)), unsubscribe: before.filter((name) => !wanted.includes(name)) });
  }

  #open(type: ResourceType, names: readonly string[]): void {
    this.#subscribed.set(type, names);
    const held = Object.fromEntries([...this.held[type]].map(([name, { digest }]) => [name, digest]));
    if (this.#protocol === "sotw") this.#ask(type);
    else this.#tell(type, { subscribe: names, held });
  }

  #acknowledge(type: ResourceType, { nonce, version }: Answer, error?: string): void {
    this.#last.set(type, { nonce, version });
    if (this.#protocol === "sotw") this.#ask(type, error);
    else this.#tell(type, { nonce, ...(error !== undefined && { error: { code: 13, message: error } }) });
  }

  #ask(type: ResourceType, message?: string): void {
    const request = {
      url: ruleOf(type).url,
      version: this.#versions.get(type) ?? "",
      nonce: this.#last.get(type)?.nonce ?? "",
      names: this.#subscribed.get(type) ?? [],
    };
    this.requests.push({ kind: "request", now: 0, request: message === undefined ? request : { ...request, error: { code: 13, message } } });
  }

  #tell(type: ResourceType, rest: Partial<Extract<Request, { kind: "delta-request" }>["request"]>): void {
    this.requests.push({
      kind: "delta-request",
      now: 0,
      request: { url: ruleOf(type).url, nonce: "", subscribe: [], unsubscribe: [], held: {}, ...rest },
    });
  }
}

function fail(message: string): never {
  throw new Error(message);
}
