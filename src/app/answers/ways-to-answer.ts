import { setTimeout as sleep } from "node:timers/promises";
import { fail, ok, type Result } from "../../core/result.js";
import type { Asked } from "../../core/session/state/reason.js";
import { terminalText } from "../../core/text/terminal-text.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { agentShell } from "../plans/agent-shell.js";
import { isProcessThere, terminalOf } from "../session/process-life.js";
import { SESSIONS } from "../session/session-view.js";
import type { SessionReport } from "../transcripts/session-report.js";
import { type Dialog, isAnsweredByKey, readDialog, squeezed } from "./dialog-screen.js";
import { findPane, type Pane, pressDigit, screenOf, type TmuxPlace } from "./tmux-panes.js";
import { wayThere } from "./way-there.js";

// A person's key for a question that a client asks: it goes to the client's own pane, where that very question is on
// the screen. Only the key press of a person may lead here.

/** What a session report says, and the client's process, as `Session.process` has it. */
export interface AskedSession {
  readonly agent: string;
  /** Empty where nobody told. */
  readonly process: string;
  readonly folder: string | null;
  readonly resume: string | null;
  readonly waitingFor: {
    readonly kind: Asked;
    readonly text: string | null;
    /** Labels, in their order; where they are known, the screen must have the same. A permission tells none. */
    readonly choices?: readonly string[] | undefined;
  } | null;
}

export interface AnswerPlace extends TmuxPlace {
  /** Where Linux shows its processes; for tests. */
  readonly proc?: string | undefined;
  /** Milliseconds that a client may take to draw its screen anew; 3000 unless told. */
  readonly patience?: number | undefined;
}

export type AnswerWay =
  | {
      readonly type: "keys";
      /** As they are on the client's screen now; the first is answered with 1. */
      readonly choices: readonly string[];
      /**
       * Ok when the dialog is gone. Fails with `no-choice`, `choices-unseen`, `not-on-screen` (no key was sent) or
       * `not-taken` (sent, and the dialog is still there). `label`: what the person read beside this number. Needed
       * where the session reports no labels, as with a permission: in one dialog 2 is "No", in the next "Yes, always".
       */
      answer(choice: number, label?: string): Promise<Result<AnswerSent>>;
    }
  | { readonly type: "how"; readonly text: string };

interface AnswerSent {
  readonly choice: number;
  readonly label: string;
}

/** With the process that the store knows: a sub-agent asks in the terminal of its session. */
export async function askedSession(store: EventStore, report: Reported): Promise<AskedSession> {
  const [root = ""] = (report.parent ?? report.id).split("/");
  const { process } = await store.view(SESSIONS, sessionStream(root));
  const { agent, folder, resume, waitingFor } = report;
  return { agent, process, folder, resume, waitingFor };
}

type Reported = Pick<SessionReport, "id" | "parent"> & Omit<AskedSession, "process">;

/** How a person can answer what this session asks: with keys from here, or in which place. */
export async function waysToAnswer(session: AskedSession, place: AnswerPlace): Promise<AnswerWay> {
  const pane = await paneOf(session, place);
  const how = wayThere(session, { pane, isInTmux: Boolean(place.environment.TMUX), proc: place.proc });
  const agent = agentShell(place.environment);
  if (agent !== undefined) return { type: "how", text: `This is the shell of ${agent}: agents answer nothing. ${how}` };
  const dialog = pane && (await dialogIn(pane, session, place));
  if (!dialog) return { type: "how", text: how };
  return {
    type: "keys",
    choices: dialog.choices.map(terminalText),
    answer: (choice, label) => sendAnswer({ choice, label }, dialog, { session, place, how }),
  };
}

interface Asking {
  readonly session: AskedSession;
  readonly place: AnswerPlace;
  readonly how: string;
}

interface Pressed {
  readonly choice: number;
  readonly label?: string | undefined;
}

/** Looks again before the key and after it: the person may have answered there meanwhile. */
async function sendAnswer(pressed: Pressed, dialog: Dialog, asking: Asking): Promise<Result<AnswerSent>> {
  const { session, place, how } = asking;
  const meant = meantLabel(pressed, dialog, session);
  if (!meant.ok) return meant;
  const { choice } = pressed;
  const pane = await paneOf(session, place);
  const now = pane && (await dialogIn(pane, session, place));
  if (!pane || !now || !isSame(now, dialog))
    return fail("not-on-screen", `This question is no longer on its screen, so no key was sent. ${how}`);
  if (!(await pressDigit(pane, choice, place))) return fail("not-on-screen", `tmux did not take the key. ${how}`);
  if (await isGone(pane, dialog, asking)) return ok({ choice, label: meant.value });
  return fail("not-taken", `The key ${choice} was sent, and the question is still there. ${how}`);
}

/** The label on the screen, where the person has read the same beside this number. */
function meantLabel({ choice, label }: Pressed, { choices }: Dialog, { waitingFor }: AskedSession): Result<string> {
  const found = Number.isInteger(choice) ? choices[choice - 1] : undefined;
  if (found === undefined) return fail("no-choice", `There is no choice ${choice}. Press 1 to ${choices.length}.`);
  const read = label ?? waitingFor?.choices?.[choice - 1];
  if (read !== undefined && squeezed(read) === squeezed(terminalText(found))) return ok(terminalText(found));
  const all = choices.map((one, at) => `${at + 1} ${terminalText(one)}`).join(", ");
  return fail("choices-unseen", `No key was sent. On its screen the choices are: ${all}.`);
}

/** Milliseconds. */
const LOOK_EVERY = 100;

async function isGone(pane: Pane, dialog: Dialog, { session, place }: Asking): Promise<boolean> {
  const { patience = 3000 } = place;
  for (let waited = 0; waited < patience; waited += LOOK_EVERY) {
    await sleep(LOOK_EVERY);
    const now = await dialogIn(pane, session, place);
    if (!now || !isSame(now, dialog)) return true;
  }
  return false;
}

/** The pane of the client's own terminal. */
async function paneOf({ process }: AskedSession, place: AnswerPlace): Promise<Pane | undefined> {
  if (isProcessThere(process, place.proc) !== true) return undefined;
  const tty = terminalOf(process, place.proc);
  return tty === undefined ? undefined : findPane(tty, place);
}

/** What the session asks, where it is on the pane's screen and a number key answers it. */
async function dialogIn(pane: Pane, session: AskedSession, place: AnswerPlace): Promise<Dialog | undefined> {
  const { agent, waitingFor } = session;
  const subject = waitingFor && subjectOf(waitingFor);
  if (!subject || !pane.isPlain || !isAnsweredByKey(agent, waitingFor.kind)) return undefined;
  const dialog = readDialog(agent, waitingFor.kind, (await screenOf(pane, place)) ?? "");
  if (dialog?.subject !== squeezed(subject)) return undefined;
  const { choices = [] } = waitingFor;
  return isSame(dialog, choices.length === 0 ? dialog : { ...dialog, choices }) ? dialog : undefined;
}

/** Where a text is cut: a person must have read all of what is answered. */
const TEXT_MAX = 300;

/** The question itself, or the command that a permission is asked for; other permissions were not tried. */
function subjectOf({ kind, text }: NonNullable<AskedSession["waitingFor"]>): string | undefined {
  if (text === null || text.length >= TEXT_MAX) return undefined;
  return kind === "permission" ? /^Bash: (.+)$/s.exec(text)?.[1] : text;
}

function isSame(one: Dialog, other: Dialog): boolean {
  const labels = ({ choices }: Dialog) => choices.map(squeezed).join("\n");
  return one.choices.length > 0 && one.subject === other.subject && labels(one) === labels(other);
}
