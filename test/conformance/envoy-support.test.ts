import assert from "node:assert/strict";
import { test } from "node:test";
import { startEnvoy } from "#test/support/envoy.ts";
import { http } from "#test/support/http.ts";
import { freePort } from "#test/support/ports.ts";

test("a real Envoy starts from a static bootstrap, answers, tells its configuration and ends", { timeout: 60_000 }, async () => {
  const port = await freePort();
  const envoy = await startEnvoy(staticBootstrap(port));
  try {
    const answer = await http(`http://127.0.0.1:${port}/`, { headers: { host: "bookshop.example" } });
    assert.deepEqual([answer.status, answer.body], [200, "hello"]);
    assert.equal((await envoy.stats("listener_manager.listener_create_success"))["listener_manager.listener_create_success"], 1);
    assert.ok((await envoy.configDump()).configs.length > 0);
  } finally {
    await envoy.stop();
  }
  assert.equal(envoy.process.running(), false);
});

test("a bootstrap that Envoy refuses rejects with Envoy's own words", { timeout: 60_000 }, async () => {
  await assert.rejects(startEnvoy({ static_resources: { no_such_field: 1 } }), /no_such_field/);
});

function staticBootstrap(port: number) {
  const manager = {
    "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
    stat_prefix: "hello",
    http_filters: [{ name: "router", typed_config: { "@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router" } }],
    route_config: {
      virtual_hosts: [
        { name: "all", domains: ["*"], routes: [{ match: { prefix: "/" }, direct_response: { status: 200, body: { inline_string: "hello" } } }] },
      ],
    },
  };
  return {
    static_resources: {
      listeners: [
        {
          address: { socket_address: { address: "127.0.0.1", port_value: port } },
          filter_chains: [{ filters: [{ name: "http", typed_config: manager }] }],
        },
      ],
    },
  };
}
