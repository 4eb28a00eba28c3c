// Calls the greeter through xDS: GRPC_XDS_BOOTSTRAP=grpc.json node examples/greeter/client.mjs [TARGET] [CALLS]
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { register } from "@grpc/grpc-js-xds";
import { GREET } from "./greet.mjs";

register();
const [target = "xds:///greeter.demo.svc.cluster.local:50051", calls = "10"] = process.argv.slice(2);
const client = new Client(target, credentials.createInsecure());

/** One call; `headers` as metadata. */
function greet(headers = {}) {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(headers)) metadata.set(key, value);
  return new Promise((resolve, reject) => {
    const options = { deadline: Date.now() + 10_000 };
    const done = (error, answer) => (error ? reject(error) : resolve(answer));
    client.makeUnaryRequest(GREET.path, GREET.requestSerialize, GREET.responseDeserialize, "you", metadata, options, done);
  });
}

for (let call = 0; call < Number(calls); call++) console.log(await greet());
console.log(`beta reader: ${await greet({ "x-reader": "beta" })}`);
client.close();
