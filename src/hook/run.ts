import { writeLog } from "../app/log-file.js";
import { isNoStore, openHookStore, storeName } from "../app/session/hook-store.js";
import { readSettings } from "../app/settings.js";
import type { Environment } from "../app/store-place.js";
import { sweptList } from "../app/todo/sweep-closed.js";
import { isId } from "../core/id.js";
import { statusText } from "../core/todo/progress.js";
import { answerHook, concerns } from "./answer.js";
import { readHookInput } from "./input.js";

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
    const input = readHookInput(world.read(), world.process);
    if (!input.ok) return complain(world, "hook", input.error);
    if (input.value.event === CHECK_UP) return checkUp(world);
    if (!concerns(input.value)) return "";
    const store = await openHookStore(world.environment);
    const answer = await answerHook(store, input.value, readSettings(world.environment));
    return answer.ok ? answer.value : complain(world, `hook ${input.value.event}`, answer.error.message);
  });
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
    const session = sessionIn(world.read());
    if (!isId(session)) return "";
    const store = await openHookStore(world.environment, { mustExist: true });
    return statusText(await sweptList(store, `session:${session}`, readSettings(world.environment).clearAfter));
  });
}

function sessionIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly session_id?: unknown } | null)?.session_id;
  } catch {
    return undefined;
  }
}

function complain({ environment }: HookWorld, source: string, text: string): string {
  writeLog(environment, source, text);
  return "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function quietly(world: HookWorld, source: string, work: () => Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${DEADLINE_MS} ms; given up`)), DEADLINE_MS);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    if (isNoStore(error)) return "";
    return complain(world, source, messageOf(error));
  } finally {
    clearTimeout(timer);
  }
}
