// The one method of the greeter, without a .proto file: text in, text out.
const text = { serialize: (value) => Buffer.from(value), deserialize: (bytes) => String(bytes) };

export const GREET = {
  path: "/demo.Greeter/Greet",
  requestStream: false,
  responseStream: false,
  requestSerialize: text.serialize,
  requestDeserialize: text.deserialize,
  responseSerialize: text.serialize,
  responseDeserialize: text.deserialize,
};
