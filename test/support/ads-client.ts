import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Client, type ClientDuplexStream, credentials, type ServiceError } from "@grpc/grpc-js";
import {
  DeltaDiscoveryRequestSchema,
  type DeltaDiscoveryResponse,
  DeltaDiscoveryResponseSchema,
  DiscoveryRequestSchema,
  type DiscoveryResponse,
  DiscoveryResponseSchema,
} from "#proto/envoy/service/discovery/v3/discovery_pb.js";
import { eventually } from "./eventually.ts";

const SERVICE = "/envoy.service.discovery.v3.AggregatedDiscoveryService";

/** A raw client of one aggregated stream, over a real connection. */
export class AdsClient<R extends DiscoveryResponse | DeltaDiscoveryResponse> {
  readonly responses: R[] = [];
  error: ServiceError | undefined;
  ended = false;
  readonly stream: ClientDuplexStream<Buffer, Buffer>;
  readonly #client: Client;

  constructor(port: number, method: string, read: (bytes: Uint8Array) => R) {
    this.#client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { "grpc.max_receive_message_length": -1 });
    const same = (bytes: Buffer): Buffer => bytes;
    this.stream = this.#client.makeBidiStreamRequest(`${SERVICE}/${method}`, same, same);
    this.stream.on("data", (bytes: Buffer) => this.responses.push(read(bytes)));
    this.stream.on("error", (error: ServiceError) => {
      this.error = error;
    });
    this.stream.on("end", () => {
      this.ended = true;
    });
  }

  send(bytes: Uint8Array): void {
    this.stream.write(Buffer.from(bytes));
  }

  /** The nth response, from 0. */
  async response(index: number): Promise<R> {
    return eventually(`response ${index}`, () => this.responses[index], 5_000);
  }

  async failure(): Promise<ServiceError> {
    return eventually("the stream fails", () => this.error, 5_000);
  }

  close(): void {
    this.stream.cancel();
    this.#client.close();
  }
}

export function sotwClient(port: number): AdsClient<DiscoveryResponse> & { ask: (request: MessageInitShape<typeof DiscoveryRequestSchema>) => void } {
  const client = new AdsClient(port, "StreamAggregatedResources", (bytes) => fromBinary(DiscoveryResponseSchema, bytes));
  return Object.assign(client, {
    ask: (request: MessageInitShape<typeof DiscoveryRequestSchema>) =>
      client.send(toBinary(DiscoveryRequestSchema, create(DiscoveryRequestSchema, request))),
  });
}

export function deltaClient(
  port: number,
): AdsClient<DeltaDiscoveryResponse> & { ask: (request: MessageInitShape<typeof DeltaDiscoveryRequestSchema>) => void } {
  const client = new AdsClient(port, "DeltaAggregatedResources", (bytes) => fromBinary(DeltaDiscoveryResponseSchema, bytes));
  return Object.assign(client, {
    ask: (request: MessageInitShape<typeof DeltaDiscoveryRequestSchema>) =>
      client.send(toBinary(DeltaDiscoveryRequestSchema, create(DeltaDiscoveryRequestSchema, request))),
  });
}
