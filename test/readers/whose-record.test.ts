import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { isObject, type JsonObject, parseJson } from "../../src/core/json.js";
import { FORMATS } from "../../src/readers/transcript-formats.js";

// All samples against all readers: a record of one agent is never taken for another's.

const root = fileURLToPath(new URL("../fixtures/transcripts", import.meta.url));

/** Logs of these agents that are no transcripts: protocol messages, hooks, events of extensions, lists. */
const OTHER_LOGS = "other-logs";

/** pi's files are told from those of oh-my-pi, which it comes from, only by what is in them. */
const READ_AS: Readonly<Record<string, string>> = { pi: "oh-my-pi" };

function recordsOf(text: string): readonly JsonObject[] {
  const whole = parseJson(text);
  return (whole === undefined ? text.split("\n").map((line) => parseJson(line)) : [whole]).filter(isObject);
}

const samples = readdirSync(root).flatMap((agent) =>
  readdirSync(join(root, agent)).map((file) => ({ agent, file, text: readFileSync(join(root, agent, file), "utf8") })),
);

const agentsThatKnow = (record: JsonObject) =>
  FORMATS.filter((format) => format.recognises(record)).map(({ agent }) => agent);

describe("whose record it is", () => {
  test.each([...new Set(samples.map(({ agent }) => agent))])("%s", (agent) => {
    const own = agent === OTHER_LOGS ? [] : [READ_AS[agent] ?? agent];
    const strange = samples
      .filter((sample) => sample.agent === agent)
      .flatMap(({ file, text }) =>
        recordsOf(text).flatMap((record, at) =>
          agentsThatKnow(record)
            .filter((known) => !own.includes(known))
            .map((known) => `${file}, record ${at + 1}: ${known}`),
        ),
      );
    expect(strange).toEqual([]);
  });

  test("each agent with samples has a format that knows some of them", () => {
    const known = new Set(samples.flatMap(({ text }) => recordsOf(text).flatMap(agentsThatKnow)));
    const agents = new Set(samples.map(({ agent }) => READ_AS[agent] ?? agent).filter((agent) => agent !== OTHER_LOGS));
    expect([...agents].filter((agent) => !known.has(agent))).toEqual([]);
  });
});
