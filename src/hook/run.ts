import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkUp, isCheckUp } from "../app/hooks/check-up.js";
import { hearHook, troubleLine } from "../app/hooks/hear-hook.js";
import { type HookInput, readFields, readHookInput, stringOf } from "../app/hooks/hook-input.js";
import { within } from "../app/hooks/time-limit.js";
import { writeLog } from "../app/log-file.js";
import { type HookStore, isNoStore, openHookStore, tooLate } from "../app/session/hook-store.js";
import { currentListOf } from "../app/session/list-words.js";
import { SESSIONS } from "../app/session/session-view.js";
import { hasNoLists } from "../app/settings/lists-off.js";
import { readSettings } from "../app/settings.js";
import type { Environment } from "../app/store-place.js";
import { countedVerdicts } from "../app/terminal/verdict-text.js";
import { sweptList } from "../app/todo/sweep-closed.js";
import { finishedLine, storedWork } from "../app/todo/todo-work.js";
import { judgeShown } from "../core/grounding/judged.js";
import { isId } from "../core/id.js";
import { fail, type Result } from "../core/result.js";
import type { CurrentList } from "../core/session/client/current-list.js";
import type { Session } from "../core/session/session.js";
import { reasonText } from "../core/session/state/reason.js";
import { todosOf } from "../core/todo/list.js";
import { shortLine, statusText } from "../core/todo/progress.js";

export interface HookWorld {
  readonly environment: Environment;
  /** The client's process: machine and number. */
  readonly process: string;
  /** Everything on standard input. */
  readonly read: () => string;
  /** The client whose hook it is, and the event, where the command names them. */
  readonly words?: readonly string[];
}

/** The agent waits for its hook: slower work is abandoned and logged. */
const DEADLINE_MS = 1500;

/** Never throws and never fails: a hook must not break somebody's agent. */
export async function runHook(world: HookWorld): Promise<string> {
  return quietly(world, "hook", async () => {
    const input = await readInput(world);
    if (!input.ok) return complain(world, "hook", input.error);
    if (!input.value) return "";
    if (isCheckUp(input.value)) return checkUp(world.environment);
    const { environment } = world;
    return hearHook({ environment, open: (patience) => openHookStore(environment, { patience }) }, input.value);
  });
}

/** Undefined for what tells nothing. */
async function readInput(world: HookWorld): Promise<Result<HookInput | undefined, string>> {
  const { process, environment, words = [] } = world;
  if (words.length === 0) return readHookInput(world.read(), process, environment);
  const fields = readFields(world.read());
  if (!fields) return fail("the input is not a JSON object");
  // What other clients say is a file of its own for each: few hooks need one.
  const { readClientHook } = await import("../app/hooks/clients/client-hooks.js");
  return readClientHook(words, fields, world);
}

/** One line for a status bar: how far the session is, and what it is on. */
export async function runStatusline(world: HookWorld): Promise<string> {
  return quietly(world, "statusline", async () => {
    const fields = readFields(world.read()) ?? {};
    const { session_id: session } = fields;
    if (!isId(session)) return "";
    const store = await openHookStore(world.environment, { mustExist: true });
    const stream = `session:${session}`;
    const settings = readSettings(world.environment);
    const list = await sweptList(store, stream, settings.clearAfter);
    const known = await store.view(SESSIONS, stream);
    const isAsked = known.state === "waiting" && isClientAsking(stringOf(fields, "transcript_path"), world.process);
    const current = currentListOf(list, known);
    const done = current.keeper === "session" ? await finishedLine(store, stream, list) : "";
    const progress = hasNoLists(settings, known.client) ? "" : done || statusText(current.list);
    const judged = progress === "" ? "" : await countedOf(store, session, current);
    return [isAsked ? askText(known) : "", progress, judged].filter((part) => part !== "").join(" · ");
  });
}

/** `? 1 unbacked`: what is called completed against the facts. */
async function countedOf(store: HookStore, session: string, { list, keeper }: CurrentList): Promise<string> {
  const todos = todosOf(list).filter(({ status }) => status === "completed");
  if (todos.length === 0) return "";
  const judge = judgeShown(list, keeper, await storedWork(store, { session }));
  return countedVerdicts(todos.map((todo) => ({ verdict: judge?.(todo).judgement?.verdict ?? null })));
}

/** `? Bash: npm publish`: what the person is asked. */
function askText({ why }: Session): string {
  return `? ${shortLine(why?.text ?? reasonText(why?.reason ?? "input"))}`;
}

/**
 * Whoever says no to a dialog, or closes it, is reported by no hook of Claude Code; but each of its processes keeps a
 * file about what it does. True where there is none: then the last hook is believed.
 */
function isClientAsking(transcript: string | undefined, process: string): boolean {
  const [, number] = /:(\d+)(?:\+|\?|$)/.exec(process) ?? [];
  if (transcript === undefined || number === undefined) return true;
  try {
    const file = join(dirname(transcript), "..", "..", "sessions", `${number}.json`);
    const status = readFields(readFileSync(file, "utf8"))?.status;
    return status !== "idle" && status !== "busy";
  } catch {
    return true;
  }
}

function complain({ environment }: HookWorld, source: string, text: string): string {
  writeLog(environment, source, text);
  return "";
}

async function quietly(world: HookWorld, source: string, work: () => Promise<string>): Promise<string> {
  try {
    return await within(DEADLINE_MS, work, tooLate);
  } catch (error) {
    if (isNoStore(error)) return "";
    return complain(world, source, troubleLine(error));
  }
}
