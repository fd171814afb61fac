import type { Verdict } from "../../core/grounding/verdict.js";
import { isOpen } from "../../core/todo/list.js";
import type { TodoReport } from "../todo/todo-report.js";
import { type SessionReport, todosIn } from "../transcripts/session-report.js";
import { DEMO_SESSIONS } from "./demo-client.js";
import type { DemoCheck, DemoLook } from "./demo-moment.js";

// What must hold after each moment of the demo, by what every view shows. None of them holds before its moment.

function todo(session: SessionReport | undefined, number: number): TodoReport | undefined {
  return session && todosIn(session).find((one) => one.number === number);
}

function isJudged(session: SessionReport | undefined, number: number, verdict: Verdict): boolean {
  return todo(session, number)?.verdict === verdict;
}

/** What a hook has told the model in this moment. */
function isTold({ answers }: DemoLook, words: string): boolean {
  return answers.some(({ to, text }) => to === "hook" && text.includes(words));
}

function loop({ claude }: DemoLook) {
  return claude?.alerts.find(({ detector }) => detector === "same-error");
}

export const isAtWork: DemoCheck = {
  what: "the session is known by its hooks, and runs",
  holds: ({ claude }) => claude?.state === "running" && claude.project === "shop" && claude.turns === 1,
};

export const hasLooked: DemoCheck = {
  what: "2 calls are counted, and there is no list yet",
  holds: ({ claude }) => claude?.calls.total === 2 && claude.calls.failed === 0 && todosIn(claude).length === 0,
};

export const planWaits: DemoCheck = {
  what: "the plan is proposed, and the session waits for you",
  holds: ({ claude }) =>
    claude?.state === "waiting" && claude.waitingFor?.kind === "plan" && claude.plan?.status === "proposed",
};

export const planApproved: DemoCheck = {
  what: "the plan is approved, and the model was told so",
  holds: (look) =>
    isTold(look, "The person approved plan") &&
    look.claude?.plan?.status === "approved" &&
    look.claude.state === "running",
};

export const hasBegun: DemoCheck = {
  what: "5 todos, and the first is in progress",
  holds: ({ claude }) =>
    claude !== undefined && todosIn(claude).length === 5 && todo(claude, 1)?.status === "in_progress",
};

export const firstWorked: DemoCheck = {
  what: "todo 1 is worked: something ran, no check did",
  holds: ({ claude }) => isJudged(claude, 1, "worked") && todo(claude, 2)?.notes.length === 1,
};

export const testFails: DemoCheck = {
  what: "the failed check is a fact of todo 2",
  holds: ({ claude }) => todo(claude, 2)?.facts?.check?.result === "failed",
};

export const loopTold: DemoCheck = {
  what: "a detector has found the loop, and the model was told",
  holds: (look) => loop(look)?.level === "note" && isTold(look, "has failed 3 times with the same arguments"),
};

export const loopRises: DemoCheck = {
  what: "the alert has risen to a warning",
  holds: (look) => loop(look)?.level === "warn" && loop(look)?.count === 4 && loop(look)?.isOver === false,
};

export const digestHasOpen: DemoCheck = {
  what: "the digest has each open todo, and none that is done",
  holds({ claude, answers }) {
    const digest = answers.findLast(({ to }) => to === "hook")?.text;
    if (!claude || digest === undefined) return false;
    return claude.compactions === 1 && todosIn(claude).every((one) => digest.includes(one.text) === isOpen(one));
  },
};

export const questionWaits: DemoCheck = {
  what: "the session waits for you, with its question",
  holds: ({ claude }) =>
    claude?.waitingFor?.kind === "question" && claude.waitingFor.text?.startsWith("Round") === true,
};

export const goesOn: DemoCheck = {
  what: "it goes on, and your word has ended the alert",
  holds: (look) => look.claude?.state === "running" && loop(look)?.isOver === true,
};

export const testsPass: DemoCheck = {
  what: "the last check of todo 2 has passed",
  holds: ({ claude }) => todo(claude, 2)?.facts?.check?.result === "passed",
};

export const secondVerified: DemoCheck = {
  what: "todo 2 is verified: a check passed after its last edit",
  holds: ({ claude }) => isJudged(claude, 2, "verified"),
};

export const thirdUnbacked: DemoCheck = {
  what: "todo 3 is unbacked: nothing ran for it",
  holds: ({ claude }) => isJudged(claude, 3, "unbacked"),
};

export const taskReady: DemoCheck = {
  what: "task #1 is ready for whoever claims it",
  holds: ({ tasks: [task] }) => task?.standing === "ready",
};

export const taskClaimed: DemoCheck = {
  what: "Codex holds task #1 by a lease with fence 1",
  holds: ({ codex, tasks: [task] }) =>
    codex?.state === "running" && task?.lease?.session === DEMO_SESSIONS.codex && task.lease.fence === 1,
};

export const othersRefused: DemoCheck = {
  what: "the write of somebody else was refused, and the lease is as it was",
  holds: ({ answers, tasks: [task] }) =>
    answers.some(({ to, isError }) => to === "tool" && isError) && task?.lease?.session === DEMO_SESSIONS.codex,
};

export const codexWorks: DemoCheck = {
  what: "Codex's own plan is a list here, with the file that it wrote",
  holds: ({ codex }) =>
    isJudged(codex, 1, "worked") && todo(codex, 2)?.facts?.files.some((file) => file.endsWith("prices.md")) === true,
};

export const taskDone: DemoCheck = {
  what: "task #1 is done, with evidence; Codex's last step is unbacked",
  holds: ({ codex, tasks: [task] }) =>
    task?.status === "completed" && task.lease === null && task.evidence.length === 1 && isJudged(codex, 3, "unbacked"),
};

export const wordStored: DemoCheck = {
  what: "your word waits for the agent's next step",
  holds: ({ answers }) => answers.some(({ to, text }) => to === "command" && text.endsWith("with its next step.")),
};

export const wordHeard: DemoCheck = {
  what: "the model has read it, and todo 3 is no longer unbacked",
  holds: (look) => isTold(look, "The changelog has no line yet.") && isJudged(look.claude, 3, "worked"),
};

export const allVerified: DemoCheck = {
  what: "5 of 5 are done; what was edited or checked is verified",
  holds: ({ claude }) =>
    claude?.state === "idle" &&
    claude.finished !== null &&
    todosIn(claude).every(({ status }) => status === "completed") &&
    [2, 3, 5].every((number) => isJudged(claude, number, "verified")) &&
    [1, 4].every((number) => isJudged(claude, number, "worked")),
};
