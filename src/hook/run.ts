import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { failureOf } from "../app/escaped-error.js";
import { writeLog } from "../app/log-file.js";
import { type HookStore, isNoStore, openHookStore, storeName, tooLate } from "../app/session/hook-store.js";
import { currentListOf } from "../app/session/list-words.js";
import { recordSighting, type Said, Unrecorded } from "../app/session/record-sighting.js";
import { startSession } from "../app/session/session-start.js";
import { SESSIONS } from "../app/session/session-view.js";
import { codexToolWay } from "../app/session/tool-way.js";
import { readSettings, type Settings } from "../app/settings.js";
import type { Environment } from "../app/store-place.js";
import { sweptList } from "../app/todo/sweep-closed.js";
import { isId } from "../core/id.js";
import { isObject } from "../core/json.js";
import type { Result } from "../core/result.js";
import { redact } from "../core/secrets/redact.js";
import type { Session } from "../core/session/session.js";
import { reasonText } from "../core/session/state/reason.js";
import { shortLine, statusText } from "../core/todo/progress.js";
import { type HookInput, readFields, readHookInput, stringOf } from "./input.js";
import { fitListInput } from "./mirrored-input.js";
import { dialectOf } from "./seen-call.js";
import { isSeen, sightingOf } from "./sightings.js";

export interface HookWorld {
  readonly environment: Environment;
  /** The client's process: machine and number. */
  readonly process: string;
  /** Everything on standard input. */
  readonly read: () => string;
}

/** The agent waits for its hook: slower work is abandoned and logged. */
const DEADLINE_MS = 1500;

/** Never throws and never fails: a hook must not break somebody's agent. */
export async function runHook(world: HookWorld): Promise<string> {
  return quietly(world, "hook", async () => {
    const input = readHookInput(world.read(), world.process, world.environment);
    if (!input.ok) return complain(world, "hook", input.error);
    const { event } = input.value;
    if (event === CHECK_UP) return checkUp(world);
    // Events that do not matter to us must cost nothing.
    if (event !== "SessionStart" && !isSeen(event)) return "";
    const store = await openHookStore(world.environment);
    try {
      const answer = await answerHook(store, input.value, readSettings(world.environment));
      return answer.ok ? answer.value : complain(world, `hook ${event}`, answer.error.message);
    } catch (error) {
      if (!(error instanceof Unrecorded)) throw error;
      complain(world, `hook ${event}`, messageOf(error));
      return render(input.value, error.said);
    }
  });
}

/** Records what the hook reports, and returns hook JSON for the client, or nothing. */
export async function answerHook(store: HookStore, input: HookInput, settings: Settings): Promise<Result<string>> {
  const said = await hear(store, input, settings);
  return said.ok ? { ok: true, value: render(input, said.value) } : said;
}

async function hear(store: HookStore, input: HookInput, settings: Settings): Promise<Result<Said>> {
  const { session, agent, client, folder, transcript, process, fields, event } = input;
  // The compaction of a sub-agent is not the start of a session.
  if (event === "SessionStart" && agent !== undefined) return { ok: true, value: [] };
  const way = client === "codex" ? () => codexToolWay(transcript, stringOf(fields, "model")) : undefined;
  if (event === "SessionStart") {
    const source = stringOf(fields, "source") ?? "startup";
    return startSession(store, { session, client, folder, transcript, source, process, way }, settings);
  }
  const mirrored = event === "PostToolUse" ? await mirror(store, input, settings) : undefined;
  if (mirrored && !mirrored.ok) return mirrored;
  const sighting = sightingOf(input);
  return sighting ? recordSighting(store, { ...sighting, way }, settings) : { ok: true, value: [] };
}

/** The client's own list is the session's list: what its tool wrote is written here too, in that tool's words. */
async function mirror(store: HookStore, input: HookInput, settings: Settings) {
  const { session, agent, client, folder, fields } = input;
  const tool = stringOf(fields, "tool_name") ?? "";
  const dialect = dialectOf(tool);
  if (dialect === undefined || !isObject(fields.tool_input) || isRefusedPlan(fields)) return undefined;
  const call = stringOf(fields, "tool_use_id");
  // The dialects are a file of their own: few hooks need them.
  const { callOn } = await import("../app/calls/tool-call.js");
  const taken = fitListInput(tool, fields.tool_input);
  const request = { dialect, tool, input: taken, session, agent, origin: { client, call, folder } };
  return callOn(store, request, settings);
}

/** Codex answers a plan that it did not take with a text of its own, and reports that as any other call. */
function isRefusedPlan({ tool_name: tool, tool_response: answer }: HookInput["fields"]): boolean {
  return tool === "update_plan" && typeof answer === "string" && answer !== "Plan updated";
}

function render({ event, client }: HookInput, said: Said): string {
  if (said.length === 0) return "";
  const text = redact(said.join("\n\n"));
  // Codex takes no context at a stop. Claude Code does, and shows it as feedback; a block it would show as an error.
  if (event === "Stop" && client === "codex") return JSON.stringify({ decision: "block", reason: text });
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
}

/** No client has this event: doctor sends it, and wants to know whether the hook finds its store. */
const CHECK_UP = "Doctor";

async function checkUp({ environment }: HookWorld): Promise<string> {
  try {
    await openHookStore(environment, { mustExist: true });
  } catch (error) {
    if (!isNoStore(error)) return JSON.stringify({ systemMessage: messageOf(error) });
  }
  return JSON.stringify({ store: storeName(environment) });
}

/** One line for a status bar: how far the session is, and what it is on. */
export async function runStatusline(world: HookWorld): Promise<string> {
  return quietly(world, "statusline", async () => {
    const fields = readFields(world.read()) ?? {};
    const { session_id: session } = fields;
    if (!isId(session)) return "";
    const store = await openHookStore(world.environment, { mustExist: true });
    const stream = `session:${session}`;
    const list = await sweptList(store, stream, readSettings(world.environment).clearAfter);
    const known = await store.view(SESSIONS, stream);
    const isAsked = known.state === "waiting" && isClientAsking(stringOf(fields, "transcript_path"), world.process);
    return [isAsked ? askText(known) : "", statusText(currentListOf(list, known).list)]
      .filter((part) => part !== "")
      .join(" · ");
  });
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

function messageOf(error: unknown): string {
  const { code, message } = failureOf(error);
  return `${message} [${code}]`;
}

async function quietly(world: HookWorld, source: string, work: () => Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;
  const late = new Promise<string>((_, reject) => {
    // Work that waits for nothing is done before the next turn: Node takes half a millisecond to make its first timer.
    turn = setImmediate(() => {
      timer = setTimeout(() => reject(tooLate(DEADLINE_MS)), DEADLINE_MS);
    });
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    if (isNoStore(error)) return "";
    return complain(world, source, messageOf(error));
  } finally {
    clearImmediate(turn);
    if (timer) clearTimeout(timer);
  }
}
