import { type JsonObject, listAt, objectAt } from "../../../core/json.js";
import { counted } from "../../../core/text/length.js";
import { cutUnits } from "../../../core/text/utf16.js";
import type { ProjectorSettings } from "./projector-settings.js";
import { saidText, shortText } from "./update-fields.js";

/** What a child tells of itself, a line at a time. */
export class StatusLines {
  readonly #settings: ProjectorSettings;
  #last: string | undefined;
  #lastUsage: string | undefined;

  constructor(settings: ProjectorSettings) {
    this.#settings = settings;
  }

  /** Undefined where there is nothing to tell, or nothing new. */
  tell(update: JsonObject): string | undefined {
    const { updateMax, hidesRepeats } = this.#settings;
    const words = statusWords(update, updateMax);
    if (words === undefined) return undefined;
    const line = cutUnits(`⚙️ ${words}`, updateMax);
    const isUsage = update.sessionUpdate === "usage_update";
    const isRepeat = line === this.#last || (isUsage && line === this.#lastUsage);
    if (hidesRepeats && isRepeat) return undefined;
    this.#last = line;
    if (isUsage) this.#lastUsage = line;
    return line;
  }
}

/** At most `max` units of what a child wrote itself. */
function statusWords(update: JsonObject, max: number): string | undefined {
  switch (update.sessionUpdate) {
    case "usage_update":
      return usageWords(update.used, update.size);
    case "available_commands_update":
      return `available commands: ${listAt(update.availableCommands).length}`;
    case "current_mode_update":
      return labelled("mode", shortText(update.currentModeId, max));
    case "config_option_update":
      return "options changed";
    case "session_info_update":
      return labelled("session", shortText(update.title, max));
    case "plan":
      return planWords(listAt(update.entries), max);
    default:
      return shortText(saidText(update), max);
  }
}

function usageWords(used: unknown, size: unknown): string | undefined {
  return Number.isFinite(used) && Number.isFinite(size) ? `usage: ${used}/${size}` : undefined;
}

function planWords(entries: readonly unknown[], max: number): string {
  const done = entries.filter((entry) => objectAt(entry).status === "completed").length;
  const current = entries.find((entry) => objectAt(entry).status === "in_progress");
  const step = shortText(objectAt(current).content, max);
  return `plan: ${done} of ${counted(entries.length, "step")} done${step === undefined ? "" : `, now ${step}`}`;
}

function labelled(label: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : `${label}: ${text}`;
}
