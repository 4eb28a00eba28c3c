import { html } from "hono/html";
import type { EditionSource } from "#core/xds/serving.ts";
import type { ListedNode } from "./management.ts";

/** One page for people: what is served, and who follows. */
export function homePage(source: EditionSource, nodes: readonly ListedNode[]) {
  const served = source.served();
  const { trouble } = source.health();
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Almanac</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #ddd; vertical-align: top; }
code { font-size: 90%; }
.ERROR, .trouble { color: #b00020; }
</style>
</head>
<body>
<h1>Almanac</h1>
${
  served === undefined
    ? html`<p>No edition is served yet.</p>`
    : html`<p>Serving generation <strong>${served.generation}</strong>, edition <code>${served.edition}</code>${served.pinned ? " (pinned)" : ""}.</p>`
}
${trouble === undefined ? "" : html`<p class="trouble">${trouble}</p>`}
<h2>Connected nodes (${nodes.length})</h2>
${nodes.length === 0 ? html`<p>None. <code>almanac bootstrap envoy --help</code> says how to connect an Envoy.</p>` : nodeTable(nodes)}
<p><a href="/v1/edition">/v1/edition</a> · <a href="/v1/diagnostics">/v1/diagnostics</a> · <a href="/v1/nodes">/v1/nodes</a> · <a href="/metrics">/metrics</a> · <a href="/ready">/ready</a></p>
</body>
</html>
`;
}

function nodeTable(nodes: readonly ListedNode[]) {
  return html`<table>
<tr><th>Node</th><th>Speaks</th><th>Generation</th><th>Types</th></tr>
${nodes.map(
  ({ id, protocol, dialect, generation, waiting, types }) => html`<tr>
<td><code>${id}</code></td>
<td>${protocol}, ${dialect}</td>
<td>${waiting ? "waiting" : generation}</td>
<td>${types.map(({ type, status, nack }) => html`<span class="${status}" title="${nack?.message ?? ""}">${type} ${status}</span> `)}</td>
</tr>
`,
)}
</table>`;
}
