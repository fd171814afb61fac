import { askedSession, waysToAnswer } from "../app/answers/ways-to-answer.js";
import type { CommandContext } from "../app/command-definition.js";
import { diffOf } from "../app/git/diff-of.js";
import type { Notifier } from "../app/notices/notifier.js";
import { type PlanReport, reportPlan } from "../app/plans/plan-report.js";
import { readPlan } from "../app/plans/plans.js";
import { filesOfDiff } from "../app/watching/files-of-diff.js";
import type { PersonMarks } from "../app/watching/person-marks.js";
import { runVerb, saidOf } from "../app/watching/run-verb.js";
import { screenText } from "../core/text/terminal-text.js";
import type { Effect } from "./effect.js";
import type { Message, ViewState } from "./view-state.js";
import { sessionAt, type World } from "./world.js";

/** What an effect came to: a word to the person, and what is shown now. */
export interface EffectDone {
  readonly message?: Omit<Message, "at"> | undefined;
  readonly state?: Partial<ViewState> | undefined;
}

export interface EffectWorld {
  readonly context: CommandContext;
  readonly world: World;
  readonly marks: PersonMarks;
  readonly notifier: Notifier;
  /** Gives the terminal to a program that the work starts. */
  readonly lend: <T>(work: () => Promise<T>) => Promise<T>;
}

type Carried = Exclude<Effect, { readonly type: "leave" | "redraw" | "suspend" }>;

/** Does what a key asked for. Never throws: what went wrong is said in the last row. */
export async function carryOut(effect: Carried, around: EffectWorld): Promise<EffectDone> {
  try {
    return await CARRIERS[effect.type](effect as never, around);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

type Carrier<Type extends Carried["type"]> = (
  effect: Extract<Carried, { readonly type: Type }>,
  around: EffectWorld,
) => Promise<EffectDone> | EffectDone;

const CARRIERS: { readonly [Type in Carried["type"]]: Carrier<Type> } = {
  verb: ({ name, input }, { context }) => sayDone(context, name, input),
  edit: ({ name, input }, { context, lend }) => lend(() => sayDone(context, name, input)),
  read: readAnswer,
  plan: showPlan,
  diff: showDiff,
  answer: answerQuestion,
  copy: copyText,
  pin({ session }, { marks }) {
    marks.togglePin(session);
    return saved(marks, marks.isPinned(session) ? "Pinned." : "No longer pinned.");
  },
  snooze({ session }, { marks, world }) {
    const isSnoozed = marks.snoozedUntil(session, world.now) !== undefined;
    marks.snooze(session, isSnoozed ? undefined : world.now + SNOOZE_MS);
    return saved(marks, isSnoozed ? "No longer snoozed." : "Snoozed for an hour; z again wakes it.");
  },
  notices: (_, { notifier }) => said(notifier.toggle() ? "Notices are on." : "Notices are off."),
};

const SNOOZE_MS = 3_600_000;

function said(text: string): EffectDone {
  return { message: { text, isError: false } };
}

function failed(text: string): EffectDone {
  return { message: { text, isError: true } };
}

async function saved(marks: PersonMarks, text: string): Promise<EffectDone> {
  await marks.save();
  return said(text);
}

async function sayDone(
  context: CommandContext,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<EffectDone> {
  const done = await runVerb(context, name, input);
  return done.ok ? said(saidOf(done.value)) : failed(done.error.message);
}

async function readAnswer(
  { name, input, title }: Extract<Carried, { type: "read" }>,
  { context }: EffectWorld,
): Promise<EffectDone> {
  // The page has its own width and colours.
  const output = { ...context.output, isTerminal: false, hasColor: false };
  const done = await runVerb({ ...context, output }, name, input);
  if (!done.ok) return failed(done.error.message);
  return { state: { page: { title, lines: done.value.text.trimEnd().split("\n"), top: 0 } } };
}

async function showPlan(
  { plan: id }: Extract<Carried, { type: "plan" }>,
  { world, context }: EffectWorld,
): Promise<EffectDone> {
  const ofSessions = world.groups.flatMap(({ families }) => families.flatMap(({ session }) => session.plan ?? []));
  const known = [...(world.plans ?? []), ...ofSessions].find((one) => one.id === id);
  const plan = known?.status === "proposed" ? await newestPlan(context, known) : known;
  if (!plan) return failed("That plan is gone.");
  const { status, hash, title } = plan;
  const lines = screenText(plan.text).split("\n");
  const how = status === "proposed" ? "proposed: a approves this text, r rejects it, e edits it" : status;
  return { state: { page: { title: `${title}  (${how})`, lines, top: 0, plan: id, hash } } };
}

/** What is shown may be a moment old: whoever decides reads what there is now. */
async function newestPlan({ open }: CommandContext, known: PlanReport): Promise<PlanReport> {
  const { store } = await open("read");
  const stored = await readPlan(store, known.id);
  return stored ? reportPlan(stored) : known;
}

async function showDiff(
  { session: id, of }: Extract<Carried, { type: "diff" }>,
  { world, context }: EffectWorld,
): Promise<EffectDone> {
  const session = sessionAt(world, id);
  if (!session?.folder) return failed("Nobody knows the folder of this session.");
  const { files, since, what } = filesOfDiff(session, world.timeline, of);
  if (files.length === 0) return failed(`No file was changed ${what}.`);
  const diff = await diffOf(session.folder, {
    files,
    environment: context.environment,
    ...(since === undefined ? undefined : { since }),
  });
  if (!diff.ok) return failed(diff.error.message);
  if (diff.value.trim() === "") return failed(`The files changed ${what} are as they were committed.`);
  return { state: { page: { title: `Changed ${what}`, lines: diff.value.split("\n"), top: 0, isDiff: true } } };
}

/**
 * With a key in the client's own pane where that can be done; else the person is told how to get there. What nobody has
 * read is not answered: in one dialog 2 is "No", in the next it is "Yes, and don't ask again".
 */
async function answerQuestion(
  { session: id, choice, label }: Extract<Carried, { type: "answer" }>,
  { context: { open, environment, program }, world }: EffectWorld,
): Promise<EffectDone> {
  const session = sessionAt(world, id);
  if (!session) return failed("That session is gone.");
  const { store } = await open("read");
  const place = { environment, userFolder: program.userFolder };
  const way = await waysToAnswer(await askedSession(store, session), place);
  if (way.type === "how") return failed(`Not sent: a key reaches it only in a pane of your tmux. ${way.text}`);
  if (label === undefined) return offer(id, way.choices);
  const sent = await way.answer(choice, label);
  return sent.ok ? said(`Answered: ${sent.value.label}`) : failed(sent.error.message);
}

function offer(session: string, choices: readonly string[]): EffectDone {
  const numbered = choices.map((choice, at) => `${at + 1} ${choice}`).join("   ");
  return { ...said(`${numbered}   (press the number)`), state: { offered: { session, choices } } };
}

async function copyText(
  { text, what }: Extract<Carried, { type: "copy" }>,
  { context }: EffectWorld,
): Promise<EffectDone> {
  const isCopied = (await context.copyText?.(text)) ?? false;
  return isCopied ? said(`${what} is on the clipboard.`) : failed(`No clipboard here: ${text.split("\n", 1)[0]}`);
}
