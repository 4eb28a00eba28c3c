import {
  type handleUnaryCall,
  logVerbosity,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerWritableStream,
  type ServiceDefinition,
  setLogVerbosity,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import type { EditionSource } from "#core/xds/serving.ts";
import type { Protocol } from "#core/xds/session.ts";
import { codesOf, describeFailure } from "../io/errors.ts";
import { CannotListen, formatHostPort, type HostPort } from "../io/listen.ts";
import { healthOf, healthResponse, readHealthRequest, watchedHealth } from "./health.ts";
import { reflect } from "./reflection.ts";
import type { Wire } from "./stream.ts";
import type { Streams } from "./streams.ts";

/** A listening gRPC server. */
export interface GrpcServer {
  readonly address: HostPort;
  /** Sends clients away, and returns when all have gone or the grace is over. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** Reconnecting clients list everything that they hold, which may be much. */
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;

const OPTIONS = {
  "grpc.max_receive_message_length": MAX_REQUEST_BYTES,
  "grpc.max_send_message_length": -1,
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 20_000,
  "grpc.keepalive_permit_without_calls": 1,
};

/** Serves xDS, health and reflection. Throws {@link CannotListen}. */
export async function listenGrpc(address: HostPort, streams: Streams, source: EditionSource): Promise<GrpcServer> {
  // What matters is told by errors; the library's own lines are for whoever asks for them.
  if (process.env.GRPC_VERBOSITY === undefined) setLogVerbosity(logVerbosity.NONE);
  const server = new Server(OPTIONS);
  addServices(server, streams, source);
  const port = await bind(server, address);
  return { address: { ...address, port }, stop: (graceMs) => stop(server, streams, graceMs) };
}

function bind(server: Server, address: HostPort): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(formatHostPort(address), ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(new CannotListen("--grpc", address, error));
    });
  });
}

async function stop(server: Server, streams: Streams, graceMs: number): Promise<void> {
  streams.drain();
  const grace = setTimeout(() => server.forceShutdown(), graceMs);
  await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  clearTimeout(grace);
}

function addServices(server: Server, streams: Streams, source: EditionSource): void {
  const ready = () => source.served() !== undefined;
  server.addService(
    definition("envoy.service.discovery.v3.AggregatedDiscoveryService", { StreamAggregatedResources: "bidi", DeltaAggregatedResources: "bidi" }),
    {
      StreamAggregatedResources: (call: Duplex) => carry("sotw", call, streams),
      DeltaAggregatedResources: (call: Duplex) => carry("delta", call, streams),
    } as UntypedServiceImplementation,
  );
  server.addService(definition("grpc.health.v1.Health", { Check: "unary", Watch: "server" }), {
    Check: checkHealth(ready) as handleUnaryCall<unknown, unknown>,
    Watch: (call: ServerWritableStream<Buffer, Buffer>) => watchHealth(call, ready, source),
  } as UntypedServiceImplementation);
  for (const version of ["v1", "v1alpha"] as const) {
    server.addService(definition(`grpc.reflection.${version}.ServerReflection`, { ServerReflectionInfo: "bidi" }), {
      ServerReflectionInfo: (call: Duplex) => reflectAll(version, call),
    } as UntypedServiceImplementation);
  }
}

type Duplex = ServerDuplexStream<Buffer, Buffer>;
type MethodKind = "unary" | "server" | "bidi";

/** Messages are bytes on both sides: they are read and written elsewhere, so that one broken message ends one stream with a clean code. */
function definition(service: string, methods: Readonly<Record<string, MethodKind>>): ServiceDefinition {
  const same = (bytes: Buffer): Buffer => bytes;
  return Object.fromEntries(
    Object.entries(methods).map(([name, kind]) => [
      name,
      {
        path: `/${service}/${name}`,
        requestStream: kind === "bidi",
        responseStream: kind !== "unary",
        requestSerialize: same,
        requestDeserialize: same,
        responseSerialize: same,
        responseDeserialize: same,
      },
    ]),
  );
}

/** Binds a call to a stream, for as long as both live. */
function carry(protocol: Protocol, call: Duplex, streams: Streams): void {
  let ended = false;
  const wire: Wire = {
    peer: call.getPeer(),
    write: (message, left) => {
      if (!ended) call.write(message as Buffer, () => ended || left());
    },
    end: (failure) => {
      if (ended) return;
      ended = true;
      if (failure === undefined) call.end();
      else call.emit("error", { code: failure.code, details: failure.message });
    },
  };
  const stream = streams.open(protocol, wire);
  if (stream === undefined) return;
  const gone = (): void => {
    ended = true;
    streams.closed(stream);
  };
  call.on("data", (bytes: Buffer) => stream.receive(bytes));
  call.on("end", () => {
    wire.end();
    gone();
  });
  call.on("cancelled", gone);
  call.on("error", gone);
  call.on("close", gone);
}

function checkHealth(ready: () => boolean) {
  return (call: { readonly request: Buffer }, answer: (error: object | null, response?: Uint8Array) => void): void => {
    try {
      const service = readHealthRequest(call.request);
      const status = healthOf(service, ready());
      if (status === undefined) answer({ code: codesOf("not-found").grpc, details: `no service ${service}` });
      else answer(null, Buffer.from(healthResponse(status)));
    } catch (error) {
      answer(failureOf(error));
    }
  };
}

function watchHealth(call: ServerWritableStream<Buffer, Buffer>, ready: () => boolean, source: EditionSource): void {
  const service = guard(call, () => readHealthRequest(call.request));
  if (service === undefined) return;
  let told: number | undefined;
  const tell = (): void => {
    const status = watchedHealth(service, ready());
    if (status !== told) call.write(Buffer.from(healthResponse(status)));
    told = status;
  };
  const forget = source.onChange(tell);
  call.on("cancelled", forget);
  call.on("close", forget);
  tell();
}

function reflectAll(version: "v1" | "v1alpha", call: Duplex): void {
  call.on("data", (bytes: Buffer) => {
    const answer = guard(call, () => reflect(version, bytes));
    if (answer !== undefined) call.write(Buffer.from(answer));
  });
  call.on("end", () => call.end());
}

function guard<T>(call: { emit: (event: "error", error: object) => boolean }, act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    call.emit("error", failureOf(error));
    return undefined;
  }
}

/** Bytes that can't be read are the caller's fault, whatever the decoder throws. */
function failureOf(error: unknown): { readonly code: number; readonly details: string } {
  const { codes, message, expected } = describeFailure(error);
  return expected ? { code: codes.grpc, details: message } : { code: codesOf("invalid").grpc, details: "the message can't be read" };
}
