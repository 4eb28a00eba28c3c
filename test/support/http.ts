import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { Agent, request as httpRequest } from "node:http";

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface HttpQuestion {
  readonly method?: string;
  /** `host` included: unlike fetch, any host name may be claimed, as a client of a gateway must. */
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  readonly timeoutMs?: number;
  /** Kept-alive connections of its own; a connection for each request without it. */
  readonly agent?: Agent;
}

/** One HTTP/1.1 request; every status is an answer, only a broken connection or the timeout rejects. */
export function http(url: string, { method = "GET", headers = {}, body, timeoutMs = 5_000, agent }: HttpQuestion = {}): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: agent ?? new Agent({ keepAlive: false }), timeout: timeoutMs }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }));
    });
    request.on("timeout", () => request.destroy(new Error(`no answer from ${url} within ${timeoutMs} ms`)));
    request.on("error", reject);
    request.end(body);
  });
}
