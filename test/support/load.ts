import { Agent } from "node:http";
import { http } from "./http.ts";

/** Requests without a pause, until stopped. */
export interface Load {
  readonly answers: () => number;
  readonly failures: () => readonly string[];
  readonly stop: () => Promise<void>;
}

/** Sends requests over a few kept-alive connections; anything but 200 is a failure. */
export function startLoad(url: string, headers: Readonly<Record<string, string>> = {}, connections = 4): Load {
  const failures: string[] = [];
  let answers = 0;
  let stopped = false;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const client = async (): Promise<void> => {
    while (!stopped) {
      try {
        const { status, body } = await http(url, { agent, headers });
        answers += 1;
        if (status !== 200) failures.push(`${status} ${body}`);
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
      }
    }
  };
  const clients = Array.from({ length: connections }, client);
  return {
    answers: () => answers,
    failures: () => failures,
    stop: async () => {
      stopped = true;
      await Promise.all(clients);
      agent.destroy();
    },
  };
}
