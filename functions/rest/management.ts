import { Hono } from "hono";
import type { ResourceType } from "#core/edition/resource.ts";
import { printedDiagnostics } from "#core/lib/printed-diagnostic.ts";
import type { EditionSource } from "#core/xds/serving.ts";
import { ServiceFailure } from "../io/errors.ts";

/** A connected node, as it is shown. */
export interface ListedNode {
  readonly id: string;
  readonly peer: string;
  readonly protocol: string;
  readonly dialect: string;
  readonly generation: number;
  readonly waiting: boolean;
  readonly types: readonly {
    readonly type: ResourceType;
    readonly status: string;
    readonly sentVersion: string;
    readonly ackedVersion: string;
    readonly resources: number;
    readonly held: readonly string[];
    readonly nacks: number;
    readonly nack?: { readonly version: string; readonly code: number; readonly message: string };
  }[];
}

export type NodeLister = () => readonly ListedNode[];

/** What operators ask a running server. */
export function managementApp(source: EditionSource, nodes: NodeLister): Hono {
  const app = new Hono();
  app.get("/edition", (c) => {
    const served = source.served();
    if (served === undefined) throw new ServiceFailure("not-ready", "no edition is served yet");
    const { trouble } = source.health();
    const { details, diagnostics, ...facts } = served;
    return c.json({ ...facts, ...(trouble !== undefined && { trouble }), ...details });
  });
  app.get("/diagnostics", (c) => {
    const served = source.served();
    if (served === undefined) throw new ServiceFailure("not-ready", "no edition is served yet");
    const { generation, edition } = served;
    return c.json({ generation, edition, diagnostics: printedDiagnostics(served.diagnostics()) });
  });
  app.get("/nodes", (c) => c.json({ nodes: nodes().map(withoutNonces) }));
  return app;
}

function withoutNonces(node: ListedNode): ListedNode {
  return { ...node, types: node.types.map(({ nack, ...type }) => (nack === undefined ? type : { ...type, nack: pick(nack) })) };
}

function pick({ version, code, message }: { version: string; code: number; message: string }) {
  return { version, code, message };
}
