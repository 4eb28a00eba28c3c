import assert from "node:assert/strict";
import { test } from "node:test";
import { kubePortProtocol, parseProtocol } from "#core/model/resolve/services/port-protocol.ts";

const port = { name: "", port: 80, protocol: "TCP" };

test("the name of a port up to its first hyphen is its protocol, in any letter case", () => {
  assert.equal(kubePortProtocol({ ...port, name: "HTTP2-web" }), "HTTP2");
  assert.equal(kubePortProtocol({ ...port, name: "httpx" }), "Unsupported");
  assert.equal(kubePortProtocol({ ...port, name: "grpc-web-x" }), "GRPC-Web");
});

test("appProtocol beats the name even if it is empty or unknown", () => {
  assert.equal(kubePortProtocol({ ...port, name: "http", appProtocol: "" }), "Unsupported");
  assert.equal(kubePortProtocol({ ...port, name: "http", appProtocol: "tcp" }), "TCP");
  assert.equal(kubePortProtocol({ ...port, appProtocol: "kubernetes.io/wss" }), "HTTPS");
  assert.equal(kubePortProtocol({ ...port, name: "kubernetes.io/wss" }), "Unsupported");
});

test("UDP is UDP whatever the name says", () => {
  assert.equal(kubePortProtocol({ ...port, name: "http", protocol: "UDP" }), "UDP");
});

test("ports where the server speaks first are never detected", () => {
  assert.equal(kubePortProtocol({ ...port, port: 3306 }), "TCP");
  assert.equal(kubePortProtocol({ ...port, port: 3306, name: "http" }), "HTTP");
});

test("ports of Istio objects name their protocol in full", () => {
  assert.equal(parseProtocol("Http_Proxy"), "HTTP_PROXY");
  assert.equal(parseProtocol("http-web"), "Unsupported");
});
