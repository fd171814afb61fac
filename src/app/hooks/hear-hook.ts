import { failureOf } from "../escaped-error.js";
import { writeLog } from "../log-file.js";
import type { HookStore } from "../session/hook-store.js";
import { Unrecorded } from "../session/record-sighting.js";
import { readSettings } from "../settings.js";
import type { Environment } from "../store-place.js";
import { answerHook, isHeard, render } from "./answer-hook.js";
import type { HookInput } from "./hook-input.js";

/** What a surface that hears hooks brings along. */
export interface Ear {
  readonly environment: Environment;
  readonly open: () => Promise<HookStore>;
}

/** The answer for the client: hook JSON, or nothing. Throws `StoreTrouble` when nothing could be recorded. */
export async function hearHook({ environment, open }: Ear, input: HookInput): Promise<string> {
  if (!isHeard(input)) return "";
  const source = `hook ${input.event}`;
  const store = await open();
  try {
    const answer = await answerHook(store, input, readSettings(environment));
    if (answer.ok) return answer.value;
    writeLog(environment, source, answer.error.message);
    return "";
  } catch (error) {
    if (!(error instanceof Unrecorded)) throw error;
    writeLog(environment, source, troubleLine(error));
    return render(input, error.said);
  }
}

/** What went wrong, for the log. */
export function troubleLine(error: unknown): string {
  const { code, message } = failureOf(error);
  return `${message} [${code}]`;
}
