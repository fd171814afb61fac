import { createHash } from "node:crypto";
import { type ToolLoopQuestion, toolLoop } from "../../src/core/detectors/openclaw/tool-loop.js";
import { objectAt } from "../../src/core/json.js";
import { type Check, mismatches } from "./case.js";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** What the original would say before the call that is probed. The key of a warning counts where the case has one. */
export const openclawLoops: Check = async ({ config, edition, history, probe, expect }) => {
  const question = { config, edition: edition ?? undefined, history, probe } as unknown as ToolLoopQuestion;
  const actual = toolLoop(question, sha256);
  const isKeyed = "warningKey" in objectAt(expect);
  return mismatches([{ expected: expect, actual: isKeyed ? actual : { ...actual, warningKey: undefined } }]);
};
