import { type Client, Metadata, Server, ServerCredentials, type ServiceError } from "@grpc/grpc-js";

const METHOD = "/test.Greeter/Greet";
const same = (bytes: Buffer): Buffer => bytes;

/** A gRPC server that answers every call with its name. */
export interface Greeter {
  readonly address: string;
  readonly port: number;
  readonly stop: () => void;
}

export function startGreeter(name: string, address = "127.0.0.1"): Promise<Greeter> {
  return serveGreeter(new Server(), name, `${address}:0`);
}

/** On a server that may configure itself by xDS. */
export async function serveGreeter(server: Server, name: string, at: string): Promise<Greeter> {
  const bytes = { requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same };
  const rpc = { path: METHOD, requestStream: false, responseStream: false, ...bytes };
  server.addService({ Greet: rpc }, { Greet: (_: unknown, answer: (error: null, response: Buffer) => void) => answer(null, Buffer.from(name)) });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(at, ServerCredentials.createInsecure(), (error, bound) => (error === null ? resolve(bound) : reject(error))),
  );
  return { address: at.slice(0, at.lastIndexOf(":")), port, stop: () => server.forceShutdown() };
}

/** One call; the name of the server that answered. */
export function greet(client: Client, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(headers)) metadata.set(key, value);
  return new Promise((resolve, reject) => {
    const options = { deadline: Date.now() + 5_000 };
    client.makeUnaryRequest(METHOD, same, same, Buffer.alloc(0), metadata, options, (error: ServiceError | null, response?: Buffer) =>
      error === null ? resolve(String(response)) : reject(error),
    );
  });
}

/** Calls one after the other until stopped; none is retried. */
export interface Calls {
  readonly last: () => string;
  readonly failures: readonly string[];
  readonly stop: () => Promise<void>;
}

export function startCalls(client: Client): Calls {
  const failures: string[] = [];
  let last = "";
  let stopped = false;
  const calling = (async () => {
    while (!stopped) {
      try {
        last = await greet(client);
      } catch (error) {
        failures.push(String(error));
      }
    }
  })();
  return {
    last: () => last,
    failures,
    stop: () => {
      stopped = true;
      return calling;
    },
  };
}
