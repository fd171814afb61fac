import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { SessionReport } from "../src/app/transcripts/session-report.js";
import { runOn } from "./run-on.js";

// Sub-agents in the report of their session, from what the real clients wrote.

const fixtures = realpathSync("test/fixtures/transcripts");
const home = realpathSync(mkdtempSync(join(tmpdir(), "milepost-children-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const FAMILIES = [
  ["claude-code/2.1.325-subagent", "agent-1", { done: 2, total: 2 }],
  ["claude-code/2.1.30-subagent-old", "agent-1", { done: 2, total: 2 }],
  ["codex/0.166.0-subagent", "child", { done: 2, total: 2 }],
] as const;

test.each(FAMILIES)("%s: the session has it as a child", async (name, child, progress) => {
  const files = [`${name}.jsonl`, `${name}.${child}.jsonl`].map((file) => join(fixtures, file));
  const { out } = await runOn(home, ["restore", ...files, "--json"]);
  const { sessions } = JSON.parse(out) as { readonly sessions: readonly SessionReport[] };
  const root = sessions.find(({ parent }) => parent === null);
  const below = sessions.find(({ parent }) => parent === root?.id);
  expect(root?.children).toEqual([
    {
      id: below?.id,
      title: "LANE:child Inspect the helper and report.",
      state: below?.state,
      ...progress,
      now: null,
      notice: { kind: "done", at: below?.activeAt, text: "done in 0s" },
    },
  ]);
  expect(below?.children).toEqual([]);
  const page = (await runOn(home, ["restore", ...files])).out;
  expect(page).toMatch(/\n {2}1 sub-agent.*:\n {2}└ \S+ {2}\w+ {2}2\/2 {2}LANE:child/);
});
