import assert from "node:assert/strict";
import { test } from "node:test";
import type { NetworkGateway } from "#core/model/endpoint.ts";
import type { Vantage } from "#core/node/vantage.ts";
import { addressesOf, assign, endpoint, groupsOf, HERE, marked, specOf } from "./support.ts";

function gateway(address: string, network = "b", cluster = "c2"): NetworkGateway {
  return { network, cluster, address, port: 15443, hbonePort: 0, account: "", sources: [] };
}

function hboneGateway(address: string): NetworkGateway {
  return { ...gateway(address), port: 0, hbonePort: 15008 };
}

const IN_A: Vantage = { ...HERE, network: "a" };
const OWN = endpoint("10.0.0.1", { network: "a" });
const FAR = endpoint("10.0.0.2", { network: "b", cluster: "c2" });
const FAR_TOO = endpoint("10.0.0.3", { network: "b", cluster: "c2" });
const PLAIN = endpoint("10.0.0.4", { network: "b", cluster: "c2", tlsMode: "disabled" });

test("gateways stand for the endpoints of their network, and weigh as much", () => {
  assert.deepEqual(groupsOf(assign(specOf(), [OWN, FAR, FAR_TOO], IN_A, [gateway("20.0.0.1")])), ["0 3: 10.0.0.1 20.0.0.1*2"]);
});

test("several gateways share the weight, and the others' weights grow so that nothing is left over", () => {
  const gateways = [gateway("20.0.0.2"), gateway("20.0.0.1"), gateway("20.0.0.3")];
  assert.deepEqual(groupsOf(assign(specOf(), [OWN, FAR], IN_A, gateways)), ["0 6: 10.0.0.1*3 20.0.0.1 20.0.0.2 20.0.0.3"]);
});

test("only mutual TLS gets through a gateway", () => {
  const assignment = assign(specOf(), [OWN, FAR, PLAIN], IN_A, [gateway("20.0.0.1")]);
  assert.deepEqual(addressesOf(assignment), ["10.0.0.1", "20.0.0.1"]);
  assert.deepEqual(marked(assignment), ["10.0.0.1", "20.0.0.1"]);
});

test("an endpoint is reached directly without a network, in one without gateways, and wherever there is no gateway at all", () => {
  const unplaced = endpoint("10.0.0.5");
  const shut = endpoint("10.0.0.6", { network: "c" });
  assert.deepEqual(addressesOf(assign(specOf(), [unplaced, shut, FAR], IN_A, [gateway("20.0.0.1")])), ["10.0.0.5", "10.0.0.6", "20.0.0.1"]);
  assert.deepEqual(addressesOf(assign(specOf(), [OWN, FAR], IN_A)), ["10.0.0.1", "10.0.0.2"]);
});

test("where there are gateways, Unix sockets are not sent", () => {
  const socket = endpoint("/run/a.sock", { port: 0 });
  assert.deepEqual(addressesOf(assign(specOf(), [socket, OWN], IN_A)), ["/run/a.sock", "10.0.0.1"]);
  assert.deepEqual(groupsOf(assign(specOf(), [socket, OWN], IN_A, [gateway("20.0.0.1")])), ["0 1: 10.0.0.1"]);
});

test("a client of no known network uses the gateways of every network", () => {
  assert.deepEqual(addressesOf(assign(specOf(), [OWN, FAR], HERE, [gateway("20.0.0.1"), gateway("20.0.0.9", "a", "Kubernetes")])), [
    "20.0.0.1",
    "20.0.0.9",
  ]);
});

test("gateways in the endpoint's own cluster come before others of its network", () => {
  const gateways = [gateway("20.0.0.1", "b", "c1"), gateway("20.0.0.2")];
  assert.deepEqual(addressesOf(assign(specOf(), [FAR], IN_A, gateways)), ["20.0.0.2"]);
  assert.deepEqual(addressesOf(assign(specOf(), [endpoint("10.0.0.7", { network: "b", cluster: "c3" })], IN_A, gateways)), ["20.0.0.1", "20.0.0.2"]);
});

test("gateways of another address family, and host names in discovery, are of no use", () => {
  assert.deepEqual(groupsOf(assign(specOf(), [FAR], IN_A, [gateway("2001:db8::1")])), ["0 none:"]);
  assert.deepEqual(addressesOf(assign(specOf(), [FAR], { ...IN_A, families: "dual" }, [gateway("2001:db8::1")])), ["2001:db8::1"]);
  assert.deepEqual(addressesOf(assign(specOf(), [FAR], IN_A, [gateway("gate.example.com")])), ["10.0.0.2"]);
});

test("an endpoint without an address exists behind gateways only", () => {
  const hidden = endpoint("", { network: "b", cluster: "c2" });
  assert.deepEqual(addressesOf(assign(specOf(), [hidden], IN_A, [gateway("20.0.0.1")])), ["20.0.0.1"]);
  assert.deepEqual(addressesOf(assign(specOf(), [hidden], { ...HERE, network: "b" }, [gateway("20.0.0.1")])), []);
});

test("gateways for HBONE alone are not used: they count where traffic is shared, and hide others of their network, not of their cluster", () => {
  assert.deepEqual(groupsOf(assign(specOf(), [OWN, FAR], IN_A, [gateway("20.0.0.1"), hboneGateway("20.0.0.2")])), ["0 4: 10.0.0.1*2 20.0.0.1*2"]);
  assert.deepEqual(addressesOf(assign(specOf(), [FAR], IN_A, [gateway("20.0.0.1", "b", "c3"), hboneGateway("20.0.0.2")])), ["10.0.0.2"]);
});
