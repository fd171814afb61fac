import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { decidePlan } from "../../../core/plan/decide-plan.js";
import { fail, ok, type Result } from "../../../core/result.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { sessionStream } from "../../../store/stream.js";
import {
  type CommandContext,
  defineCommand,
  type EditedText,
  type Given,
  type Output,
} from "../../command-definition.js";
import { needed, text } from "../../fields.js";
import { agentShell } from "../../plans/agent-shell.js";
import { findPlan } from "../../plans/find-plan.js";
import { type PlanReport, reportPlan } from "../../plans/plan-report.js";
import { editScript, type Proposal, proposeScript } from "../../plans/plan-writes.js";
import { proposePlan as propose } from "../../plans/plans.js";
import type { KnownPlan } from "../../plans/seen-plans.js";
import { type FoundSession, findSession } from "../../session/find/find-session.js";
import { personOf } from "../../session/person-name.js";
import { SESSIONS } from "../../session/session-view.js";
import { givenStore, nextStep, shellWord } from "../../terminal/next-step.js";
import { decideRows } from "../../terminal/plan-rows.js";
import { readListFile } from "../../todo/list-file.js";
import { storeToRead } from "../../transcripts/store-to-read.js";
import { AS, HASH, PLAN, refuseAgent } from "./plan-flags.js";

// Verbs that bring a text in: propose and edit.

interface Written {
  readonly plan: PlanReport;
  readonly changed: boolean;
}

export const proposePlan = defineCommand({
  details: `A new plan with the text of a file, or of standard input (-). It belongs to the newest session in this
project, or to none where there is no session. Agents may use it: what an agent proposes replaces its session's earlier
plan. A person's proposal replaces only what --supersedes names.`,
  examples: ["milepost plan propose PLAN.md", "cat PLAN.md | milepost plan propose - --session acc5a7"],
  words: ["file"],
  input: {
    file: needed(text("FILE", "a file of markdown; - reads standard input")),
    session: text("SESSION", "whose plan it is (default: the newest in this project)"),
    supersedes: text("PLAN", "the plan that it replaces"),
    ...AS,
  },
  async run(context, { file, session: asked, supersedes: replaced, as }) {
    const written = await textIn(context, file);
    if (!written.ok) return written;
    const by = agentShell(context.environment) !== undefined && as === undefined ? ok(undefined) : personOf(as);
    if (!by.ok) return by;
    const whose = await sessionFor(context, asked);
    if (!whose.ok) return whose;
    const { store } = await context.open("write");
    const before = replaced === undefined ? ok(undefined) : await findPlan(context, replaced);
    if (!before.ok) return before;
    // Only what is in the store can be replaced.
    const taken = before.value?.proposal ? await propose(store, before.value.proposal) : ok(undefined);
    if (!taken.ok) return taken;
    const supersedes = before.value?.plan.id;
    const plan = await propose(store, {
      ...whose.value,
      ...{ text: written.value, key: randomUUID(), by: by.value, supersedes },
    });
    return plan.ok ? ok({ plan: reportPlan(plan.value), changed: true }) : plan;
  },
  show: (written, output, given) => showWritten("Proposed", written, output, given),
});

/** The session that the command runs in, else the one that was named, else the newest here; there may be none. */
async function sessionFor(
  context: CommandContext,
  asked: string | undefined,
): Promise<Result<Pick<Proposal, "session" | "client" | "folder">>> {
  const { environment, folder } = context;
  const own = environment.CLAUDE_CODE_SESSION_ID || environment.CODEX_THREAD_ID || undefined;
  const found = await findSession(context, { session: asked ?? own });
  if (!found.ok && asked !== undefined) return found;
  if (!found.ok || found.value.loose !== undefined) return ok({ folder });
  return ok(await aboutSession(context, found.value));
}

async function aboutSession(context: CommandContext, found: FoundSession) {
  const { session, agent, isStored } = found;
  const kept = await (await storeToRead(context)).view(SESSIONS, sessionStream(session));
  const seen = isStored && kept.client !== "" ? undefined : await found.transcriptList();
  const client = kept.client || (seen?.client ?? "");
  const folder = kept.folder || (seen?.folder ?? context.folder);
  return { session: agent === undefined ? session : `${session}/${agent}`, client, folder };
}

/** The text of a file, or what comes in. */
async function textIn(context: CommandContext, file: string): Promise<Result<string>> {
  if (file === "-") return ok(await inputText(context));
  const path = resolve(context.folder, file);
  const read = await readListFile(path);
  if (read.ok) return read;
  return fail("no-file", existsSync(path) ? `${path} cannot be read: ${read.error}.` : `There is no file ${path}.`);
}

/** More than a plan can have: the rest is refused with it, and not read. */
const MOST_READ = 4 * 1024 * 1024;

async function inputText({ input }: CommandContext): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of input.bytes) {
    parts.push(part);
    size += part.length;
    if (size > MOST_READ) break;
  }
  return Buffer.concat(parts).toString("utf8");
}

export const editPlan = defineCommand({
  details: `Opens the text in $VISUAL or $EDITOR (without either: vi), or takes that of a file or of standard input (-).
Only while nobody has decided; what you then approve is your text. An approved plan does not change: propose another
one that replaces it.`,
  examples: ["EDITOR=nano milepost plan edit 9u2wr", "milepost plan edit 9u2wr PLAN.md"],
  words: ["plan", "file"],
  input: { ...PLAN, file: text("FILE", "the new text; - reads standard input"), ...HASH, ...AS },
  async run(context, { plan: typed, file, hash, as }) {
    const refused = refuseAgent(context);
    if (refused) return fail(refused);
    const by = personOf(as);
    if (!by.ok) return by;
    const found = await findPlan(context, typed, true);
    if (!found.ok) return found;
    const { plan } = found.value;
    const seen = hash ?? plan.hash;
    const early = decidePlan(plan, { type: "edit", text: plan.text, hash: plan.hash, seen });
    if (!early.ok) return fail(early.error.code, `${early.error.message}${another(context, found.value, file)}`);
    if (file === undefined) return editInEditor(context, found.value, { by: by.value, seen });
    const written = await textIn(context, file);
    return written.ok ? write(context, found.value, { text: written.value, by: by.value, seen }) : written;
  },
  show: (written, output, given) => showWritten("Edited", written, output, given),
});

/** How a plan that was decided on changes all the same. */
function another(context: CommandContext, { plan: { id, status } }: KnownPlan, file: string | undefined): string {
  if (status === "superseded") return "";
  const store = { store: givenStore(context) };
  const propose = nextStep(`plan propose ${shellWord(file ?? "plan.md")} --supersedes ${id}`, store);
  if (file !== undefined) return ` To replace it: ${propose}`;
  return ` To replace it: ${nextStep(`plan show ${id} --raw`, store)} > plan.md, then: ${propose}`;
}

interface Hand {
  readonly by: string;
  readonly seen: string;
}

async function editInEditor(context: CommandContext, known: KnownPlan, hand: Hand): Promise<Result<Written>> {
  const { plan } = known;
  if (!context.editText) {
    const instead = nextStep(`plan edit ${plan.id} -`, { store: givenStore(context) });
    return fail("refused", `An editor needs a terminal. From standard input: ${instead}`);
  }
  const edited = await context.editText("PLAN.md", plan.text);
  if (!edited.ok) return edited;
  if (!edited.value) return ok({ plan: reportPlan(plan), changed: false });
  return keepUnused(edited.value, await write(context, known, { ...hand, text: edited.value.text }));
}

/** What a person has typed is not lost when it cannot be used. */
function keepUnused(edited: EditedText, done: Result<Written>): Result<Written> {
  if (!done.ok) return fail({ ...done.error, message: `${done.error.message} What you wrote is in ${edited.path}.` });
  edited.discard();
  return done;
}

async function write(
  context: CommandContext,
  { plan: { id, hash }, proposal }: KnownPlan,
  edit: Hand & { readonly text: string },
): Promise<Result<Written>> {
  const { store } = await context.open("write");
  return store.commit<Written>(function* (transaction) {
    const taken = proposal && (yield* proposeScript(transaction, proposal));
    if (taken && !taken.ok) return taken;
    const done = yield* editScript(transaction, { id, ...edit }, taken?.value);
    if (!done.ok) return done;
    const { plan, writes } = done.value;
    return ok({ writes, answer: { plan: reportPlan(plan), changed: plan.hash !== hash } });
  });
}

function showWritten(done: string, { plan, changed }: Written, _: Output, given: Given): string {
  const what = changed ? `${done}: plan` : "Nothing has changed: plan";
  return `${[`${what} ${plan.id} ${terminalText(plan.title)}`, ...decideRows(plan, given)].join("\n")}\n`;
}
