import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Client, credentials, type ServiceError } from "@grpc/grpc-js";
import { serviceMessage } from "#functions/ads/service-descriptors.ts";
import { HandSource } from "#test/support/hand-source.ts";
import { serveByHand, type TestServers } from "#test/support/xds-server.ts";

const same = (bytes: Buffer): Buffer => bytes;

describe("gRPC health and reflection", () => {
  const source = new HandSource();
  let servers: TestServers;
  let client: Client;
  before(async () => {
    servers = await serveByHand(source);
    client = new Client(`127.0.0.1:${servers.grpc.port}`, credentials.createInsecure());
  });
  after(async () => {
    client.close();
    await servers.stop();
  });

  const message = (name: string, value: Record<string, unknown>): Buffer =>
    Buffer.from(toBinary(serviceMessage(name), create(serviceMessage(name), value)));
  const read = <T>(name: string, bytes: Buffer): T => fromBinary(serviceMessage(name), bytes) as unknown as T;

  const check = (service: string): Promise<number> =>
    new Promise((resolve, reject) => {
      client.makeUnaryRequest(
        "/grpc.health.v1.Health/Check",
        same,
        same,
        message("grpc.health.v1.HealthCheckRequest", { service }),
        (error: ServiceError | null, response?: Buffer) =>
          error === null && response !== undefined
            ? resolve(read<{ status: number }>("grpc.health.v1.HealthCheckResponse", response).status)
            : reject(error),
      );
    });

  const reflect = async (version: string, messageRequest: object): Promise<{ case: string; value: Record<string, unknown> }> => {
    const stream = client.makeBidiStreamRequest(`/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`, same, same);
    stream.write(message(`grpc.reflection.${version}.ServerReflectionRequest`, { messageRequest }));
    const bytes = await new Promise<Buffer>((resolve, reject) => stream.once("data", resolve).once("error", reject));
    stream.end();
    return read<{ messageResponse: { case: string; value: Record<string, unknown> } }>(`grpc.reflection.${version}.ServerReflectionResponse`, bytes)
      .messageResponse;
  };

  it("serves once there is an edition, and knows which services there are", async () => {
    assert.equal(await check(""), 2);
    source.publish([]);
    assert.equal(await check(""), 1);
    assert.equal(await check("envoy.service.discovery.v3.AggregatedDiscoveryService"), 1);
    await assert.rejects(check("nobody"), { code: 5 });
  });

  it("tells a watcher when that changes", async () => {
    const fresh = new HandSource();
    const other = await serveByHand(fresh);
    const watcher = new Client(`127.0.0.1:${other.grpc.port}`, credentials.createInsecure());
    const stream = watcher.makeServerStreamRequest("/grpc.health.v1.Health/Watch", same, same, message("grpc.health.v1.HealthCheckRequest", {}));
    const statuses: number[] = [];
    stream.on("error", () => {});
    await new Promise<void>((resolve) => {
      stream.on("data", (bytes: Buffer) => {
        statuses.push(read<{ status: number }>("grpc.health.v1.HealthCheckResponse", bytes).status);
        if (statuses.length === 1) fresh.publish([]);
        else resolve();
      });
    });
    assert.deepEqual(statuses, [2, 1]);
    stream.cancel();
    watcher.close();
    await other.stop();
  });

  for (const version of ["v1", "v1alpha"]) {
    it(`lists its services and their files (${version})`, async () => {
      const list = await reflect(version, { case: "listServices", value: "" });
      const services = (list.value.service as { name: string }[]).map(({ name }) => name);
      assert.ok(services.includes("envoy.service.discovery.v3.AggregatedDiscoveryService"));
      for (const symbol of services) {
        const found = await reflect(version, { case: "fileContainingSymbol", value: symbol });
        assert.equal(found.case, "fileDescriptorResponse", symbol);
        const files = (found.value.fileDescriptorProto as Uint8Array[]).map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
        const names = new Set(files.map(({ name }) => name));
        assert.ok(
          files.every(({ dependency }) => dependency.every((name) => names.has(name))),
          `${symbol}: complete`,
        );
      }
      assert.equal((await reflect(version, { case: "fileContainingSymbol", value: "no.such.Thing" })).case, "errorResponse");
      assert.equal((await reflect(version, { case: "fileByFilename", value: "grpc/health/v1/health.proto" })).case, "fileDescriptorResponse");
    });
  }

  it("refuses bytes that are no message", async () => {
    const stream = client.makeBidiStreamRequest("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", same, same);
    stream.write(Buffer.from([255, 255, 255]));
    const error = await new Promise<ServiceError>((resolve) => stream.once("error", resolve));
    assert.equal(error.code, 3);
  });
});
