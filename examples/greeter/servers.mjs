// Plays the greeter's pods: two gRPC servers at the addresses that mesh.yaml names. `node examples/greeter/servers.mjs`
// On Linux all of 127.0.0.0/8 is there; elsewhere add the addresses first (macOS: sudo ifconfig lo0 alias 127.0.2.1, and so on).
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { GREET } from "./greet.mjs";

const pods = { "127.0.2.1": "greeter v1", "127.0.2.2": "greeter v2" };

for (const [address, name] of Object.entries(pods)) {
  const server = new Server();
  server.addService({ greet: GREET }, { greet: (call, answer) => answer(null, Buffer.from(`${name} greets ${call.request}`)) });
  server.bindAsync(`${address}:50051`, ServerCredentials.createInsecure(), (error, port) =>
    console.log(error?.message ?? `${name} on ${address}:${port}`),
  );
}
