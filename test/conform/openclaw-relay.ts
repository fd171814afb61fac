import { listAt, objectAt } from "../../src/core/json.js";
import { createOpenclawRelay, type OpenclawNotice } from "../../src/streams/openclaw/relay/parent-relay.js";
import { type Check, mismatches } from "./case.js";

const OPTIONS = {
  runId: "run1",
  parentSessionKey: "agent:main:main",
  childSessionKey: "agent:codex:acp:1",
  agentId: "codex",
};

/** What the parent is told, and when; `disposed`: whether the relay has ended. The clock begins at 0. */
export const openclawRelay: Check = async ({ options, steps, expect }) => {
  let now = 0;
  const relay = createOpenclawRelay({ ...OPTIONS, ...objectAt(options) }, now);
  const emitted: OpenclawNotice[] = [...relay.opening];
  for (const step of listAt(steps)) {
    const { advance, event } = objectAt(step);
    if (typeof advance === "number") now += advance;
    const told = event === undefined ? relay.advance(now) : relay.tell({ runId: "run1", ...objectAt(event) }, now);
    emitted.push(...told);
  }
  const actual = {
    emitted: emitted.map(({ at, text, contextKey }) => ({ at, text, contextKey })),
    disposed: relay.isEnded(),
  };
  return mismatches([{ expected: expect, actual }]);
};
