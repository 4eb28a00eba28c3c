import { join } from "node:path";
import { readNodeMessage } from "#core/node/message.ts";
import { translate } from "#core/pipeline/translate.ts";
import { answerJson } from "#functions/cli/answer-json.ts";
import { readOracleCase, resolveOracleCase } from "#test/support/oracle-case.ts";
import { CASES } from "./cases.ts";
import type { Answers } from "./compare.ts";

/** What Almanac answers each node of a case, by the node's name: the code of `almanac translate --dialect istio-proxy`. */
export function renderCase(caseName: string): ReadonlyMap<string, Answers> {
  const oracleCase = readOracleCase(join(CASES, caseName));
  const mesh = resolveOracleCase(oracleCase);
  return new Map(
    oracleCase.nodes.map(({ name, node }) => {
      const message = readNodeMessage(node);
      const answer = "error" in message ? message : translate(mesh, message, "istio-proxy");
      if ("error" in answer) throw new Error(`${caseName}, node ${name}: ${answer.error}`);
      return [name, answerJson(answer) as Answers];
    }),
  );
}
