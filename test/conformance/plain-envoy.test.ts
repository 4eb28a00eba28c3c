import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readNodeMessage } from "#core/node/message.ts";
import { isRefused } from "#core/pipeline/accepted.ts";
import type { Answer } from "#core/pipeline/ask.ts";
import { translate } from "#core/pipeline/translate.ts";
import { answerJson } from "#functions/cli/answer-json.ts";
import { CASES, caseNames } from "#test/oracle/cases.ts";
import { validateBootstrap } from "#test/support/envoy.ts";
import { readOracleCase, resolveOracleCase } from "#test/support/oracle-case.ts";
import { type NodeAnswer, staticBootstrap } from "#test/support/static-bootstrap.ts";

/** Every node of a case, as it is and as one that says how connections are captured, in the dialect of a plain Envoy. */
function answersOf(caseName: string): readonly NodeAnswer[] {
  const oracleCase = readOracleCase(join(CASES, caseName));
  const mesh = resolveOracleCase(oracleCase);
  return oracleCase.nodes.flatMap(({ name, node }) =>
    [{}, { INTERCEPTION_MODE: "REDIRECT" }].flatMap((more): readonly NodeAnswer[] => {
      const message = readNodeMessage(node);
      if ("error" in message) return [];
      const answer = translate(mesh, { ...message, metadata: { ...message.metadata, ...more } }, "envoy");
      return "error" in answer ? [] : [{ label: `${caseName} ${name} ${JSON.stringify(more)}`, resources: answerJson(published(answer)) }];
    }),
  );
}

/** What an edition holds of an answer: not what Envoy's own rules forbid. */
function published(answer: Answer): Answer {
  return Object.fromEntries(
    Object.entries(answer).map(([type, resources]) => [type, new Map([...resources].filter(([, resource]) => !isRefused(resource)))]),
  );
}

/** Cases judged at once: few enough that a complaint is near its cause. */
const TOGETHER = 12;

describe("a plain Envoy accepts what it is sent, whatever the mesh", { timeout: 240_000 }, () => {
  const cases = caseNames();
  for (let start = 0; start < cases.length; start += TOGETHER) {
    const some = cases.slice(start, start + TOGETHER);
    it(`${some[0]} to ${some.at(-1)}`, async () => {
      const { code, log } = await validateBootstrap(staticBootstrap(some.flatMap(answersOf)));
      const complaint = log.split("\n").filter((line) => /\[(error|critical)\]/.test(line));
      assert.equal(code, 0, complaint.join("\n").slice(0, 4_000));
    });
  }
});
