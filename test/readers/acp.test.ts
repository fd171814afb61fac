import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { isObject, type JsonObject, parseJson } from "../../src/core/json.js";
import type { AcpFact } from "../../src/readers/acp/acp-fact.js";
import { AcpReader, type AcpSender } from "../../src/readers/acp/acp-reader.js";

// Messages of real agents over ACP, recorded with a scripted model: as drive-acp wrote them (`dir` says who), and acpx.

const FOLDER = fileURLToPath(new URL("../fixtures/transcripts/other-logs/", import.meta.url));
const EDITOR = /^(?:initialize|authenticate|session\/(?:new|load|prompt|set_\w+|cancel))$/;

interface Told {
  readonly agent: string;
  /** For each session: turns begun and ended, calls and how many of them failed, lists told. */
  readonly sessions: readonly string[];
  /** The list that was told last. */
  readonly list: readonly string[];
}

const GOLDENS: Readonly<Record<string, Told>> = {
  "acpx-0.19.1-omp.stream.ndjson": {
    agent: "oh-my-pi",
    sessions: ["2/2 turns, 4 calls, 0 failed, 3 lists"],
    list: ["x:completed", "y:completed"],
  },
  // It is loaded, and replays three lists and two calls; none of them is news.
  "claude-agent-acp-0.99.1-acp.jsonl": {
    agent: "claude-code",
    sessions: ["2/2 turns, 2 calls, 0 failed, 5 lists"],
    list: ["Reading the code:in_progress"],
  },
  "codex-acp-0.16.0-acp.jsonl": {
    agent: "codex",
    sessions: ["2/2 turns, 1 calls, 0 failed, 2 lists"],
    list: ["Read the code:completed", "Fix it:completed"],
  },
  // Its list is SQL: the one plan that it tells is empty.
  "copilot-1.0.102-acp.jsonl": { agent: "copilot", sessions: ["1/1 turns, 4 calls, 0 failed, 1 lists"], list: [] },
  // It could not load the session, and did not answer the prompt that followed.
  "gemini-0.61.0-acp.jsonl": { agent: "gemini", sessions: ["2/1 turns, 5 calls, 3 failed, 0 lists"], list: [] },
  // The fourth plan has the open todos only, behind the agent's words, and is no list.
  "oh-my-pi-18.2.3-acp.jsonl": {
    agent: "oh-my-pi",
    sessions: ["1/1 turns, 4 calls, 0 failed, 3 lists"],
    list: ["x:completed", "y:completed"],
  },
  "opencode-1.18.33-acp.jsonl": { agent: "opencode", sessions: ["1/1 turns, 4 calls, 1 failed, 0 lists"], list: [] },
  "qwen-0.24.4-acp.jsonl": {
    agent: "qwen",
    sessions: ["1/1 turns, 1 calls, 0 failed, 1 lists"],
    list: ["Read the code:in_progress", "Fix it:pending"],
  },
};

function senderOf({ dir, method }: JsonObject): AcpSender {
  if (dir !== undefined) return dir === "out" ? "editor" : "agent";
  return typeof method === "string" && EDITOR.test(method) ? "editor" : "agent";
}

function factsOf(file: string): { readonly agent: string; readonly facts: readonly AcpFact[] } {
  const reader = new AcpReader(["agent"]);
  const messages = readFileSync(FOLDER + file, "utf8")
    .split("\n")
    .map(parseJson)
    .filter(isObject);
  const facts = messages.flatMap((message, at) => reader.read(senderOf(message), message, at));
  return { agent: reader.agent, facts };
}

function told(file: string): Told {
  const { agent, facts } = factsOf(file);
  const sessions = [...new Set(facts.map(({ session }) => session))].map((session) => {
    const own = facts.filter((fact) => fact.session === session);
    const count = (is: (fact: AcpFact) => boolean) => own.filter(is).length;
    const turns = `${count(({ type }) => type === "turn.started")}/${count(({ type }) => type === "turn.ended")} turns`;
    const calls = count(({ type }) => type === "call.ended");
    const failed = count((fact) => fact.type === "call.ended" && fact.status === "failed");
    return `${turns}, ${calls} calls, ${failed} failed, ${count(({ type }) => type === "plan.told")} lists`;
  });
  const last = facts.findLast((fact) => fact.type === "plan.told");
  const entries = last?.type === "plan.told" ? (last.plan.entries as readonly Record<string, string>[]) : [];
  return { agent, sessions, list: entries.map(({ content, status }) => `${content}:${status}`) };
}

describe("messages over ACP", () => {
  test("every sample is in the table", () => {
    const samples = readdirSync(FOLDER).filter((file) => /-acp\.jsonl$|\.ndjson$/.test(file));
    expect(samples.sort()).toEqual(Object.keys(GOLDENS).sort());
  });

  test.each(Object.entries(GOLDENS))("%s", (file, golden) => {
    expect(told(file)).toEqual(golden);
  });
});
