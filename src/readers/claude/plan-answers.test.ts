import { describe, expect, test } from "vitest";
import {
  answers,
  as,
  calls,
  following,
  type Line,
  readOne,
  refuses,
  user,
} from "../../../test/readers/claude-lines.js";
import type { JsonObject } from "../../core/json.js";
import type { SeenPlan } from "../../core/session/observation.js";

const proposes = (text: string, call = "e") => calls(call, "ExitPlanMode", { plan: text });
const approves = (data: JsonObject, text = "User has approved your plan.", call = "e") =>
  answers(call, text, { toolUseResult: { isAgent: false, ...data } });
const denies = (text: string, line: JsonObject = {}) => answers("e", text, line, { is_error: true });

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
const WITH_WORDS = `${REJECTED} To tell you how to proceed, the user said:\n`;
const STOP = `${REJECTED} STOP what you are doing and wait for the user to tell you how to proceed.`;
const BY_SUBAGENT =
  "Permission for this tool use was denied. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). The user said:\n";
const ECHO =
  "User has approved your plan. You can now start coding.\n\nYour plan has been saved to: /p.md\n\n## Approved Plan";
const QUIET = { status: "proposed", text: "P" } as const;

type Expected = Omit<SeenPlan, "key"> & { readonly key?: string };

describe("what becomes of a plan", () => {
  const cases: { name: string; lines: Line[]; plans: Expected[] }[] = [
    { name: "none", lines: [user("go")], plans: [] },
    { name: "proposed", lines: [proposes("P")], plans: [QUIET] },
    { name: "a call without a plan", lines: [calls("e", "ExitPlanMode", {})], plans: [] },
    { name: "a plan of blanks", lines: [proposes(" \n")], plans: [] },
    {
      name: "approved",
      lines: [proposes("P\n"), approves({ plan: "P\n" })],
      plans: [{ text: "P\n", status: "approved" }],
    },
    {
      name: "approved, without more",
      lines: [proposes("P"), answers("e")],
      plans: [{ text: "P", status: "approved" }],
    },
    {
      name: "approved, and the text comes only now",
      lines: [calls("e", "ExitPlanMode", {}), approves({ plan: "P" })],
      plans: [{ text: "P", status: "approved" }],
    },
    {
      name: "approved as edited by the person",
      lines: [proposes("P"), approves({ plan: "Q", planWasEdited: true })],
      plans: [{ text: "Q", status: "approved", isEdited: true }],
    },
    {
      name: "edited, and nothing says so but the text",
      lines: [proposes("P"), approves({ plan: "Q" })],
      plans: [{ text: "Q", status: "approved", isEdited: true }],
    },
    {
      name: "approved: only the model is told the text",
      lines: [proposes("P"), answers("e", `${ECHO}:\nP`)],
      plans: [{ text: "P", status: "approved" }],
    },
    {
      name: "edited: only the model is told the text",
      lines: [proposes("P"), answers("e", `${ECHO} (edited by user):\nP\n## Approved Plan:\nQ`)],
      plans: [{ text: "P\n## Approved Plan:\nQ", status: "approved", isEdited: true }],
    },
    {
      name: "rejected with words",
      lines: [proposes("P"), denies(`${WITH_WORDS}Why?`, { userFeedback: "Why?", toolDenialKind: "user-rejected" })],
      plans: [{ text: "P", status: "rejected", reason: "Why?" }],
    },
    {
      name: "rejected with words, by a version that says them only to the model",
      lines: [proposes("P"), denies(`${WITH_WORDS}Not so.\nthe user said:\nbut so.`)],
      plans: [{ text: "P", status: "rejected", reason: "Not so.\nthe user said:\nbut so." }],
    },
    {
      name: "a sub-agent's",
      lines: [proposes("P"), denies(`${BY_SUBAGENT}No`)],
      plans: [{ text: "P", status: "rejected", reason: "No" }],
    },
    {
      name: "rejected without a word",
      lines: [
        proposes("P"),
        denies(STOP, { toolUseResult: "User rejected tool use", toolDenialKind: "user-rejected" }),
      ],
      plans: [{ text: "P", status: "rejected" }],
    },
    {
      name: "rejected by a host in its own words",
      lines: [proposes("P"), denies("Not now")],
      plans: [{ text: "P", status: "rejected" }],
    },
    {
      name: "stopped before an answer",
      lines: [proposes("P"), denies("x", { toolDenialKind: "interrupted" })],
      plans: [QUIET],
    },
    { name: "the tool is not there", lines: [proposes("P"), refuses("e")], plans: [] },
    { name: "a hook said no", lines: [proposes("P"), denies("PreToolUse:ExitPlanMode hook error: no")], plans: [] },
    { name: "a rule said no", lines: [proposes("P"), denies("No.", { toolDenialKind: "permission-rule" })], plans: [] },
    {
      name: "a team's leader is asked",
      lines: [proposes("P"), approves({ plan: "P", isAgent: true, awaitingLeaderApproval: true })],
      plans: [QUIET],
    },
    {
      name: "the plan before one that nobody saw",
      lines: [proposes("Old", "b"), answers("b"), proposes("P"), refuses("e")],
      plans: [{ key: "b", text: "Old", status: "approved" }],
    },
    {
      name: "one rejected, the next approved",
      lines: [proposes("P"), denies(`${WITH_WORDS}No`), proposes("P", "f"), approves({ plan: "P" }, "ok", "f")],
      plans: [
        { text: "P", status: "rejected", reason: "No" },
        { key: "f", text: "P", status: "approved" },
      ],
    },
    {
      name: "two at once",
      lines: [proposes("P"), proposes("Q", "f"), denies(STOP), answers("f")],
      plans: [
        { text: "P", status: "rejected" },
        { key: "f", text: "Q", status: "approved" },
      ],
    },
    {
      name: "two at once that nobody saw",
      lines: [proposes("P"), proposes("Q", "f"), refuses("e"), refuses("f")],
      plans: [],
    },
    {
      name: "somebody goes back before it",
      lines: [as("p", user("go")), proposes("P"), approves({ plan: "P" }), following("p", user("no"))],
      plans: [],
    },
    {
      name: "somebody goes back to the plan before",
      lines: [proposes("Old", "b"), as("p", answers("b")), proposes("P"), answers("e"), following("p", user("no"))],
      plans: [{ key: "b", text: "Old", status: "approved" }],
    },
  ];
  test.each(cases)("$name", ({ lines, plans }) => {
    const view = readOne(lines);
    const expected = plans.map((plan) => ({ key: "e", ...plan }));
    expect(view.plans.map(({ at, decidedAt, ...plan }) => plan)).toEqual(expected);
    expect(view.plan).toEqual(expected.at(-1) ?? null);
  });

  test("whatever is in its text, it stays small", () => {
    const text = "\u0000\u001b[2J\ud800 \u65e5\n".repeat(500_000);
    const { plan } = readOne([proposes(text), denies(`${WITH_WORDS}${text}`)]);
    expect(plan?.text.length).toBeLessThanOrEqual(200_000);
    expect(plan?.text.endsWith(" [cut by Milepost]")).toBe(true);
    expect(plan?.text.isWellFormed()).toBe(true);
    expect(plan?.reason?.length).toBeLessThanOrEqual(4000);
  });

  test("secrets are in neither", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const { plan } = readOne([proposes(`Use ${secret}`), denies(`${WITH_WORDS}Not ${secret}`)]);
    expect(plan).toMatchObject({ status: "rejected", text: expect.stringContaining("[redacted") });
    expect(JSON.stringify(plan)).not.toContain(secret);
  });
});
