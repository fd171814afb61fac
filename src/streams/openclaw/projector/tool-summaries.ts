import type { JsonObject } from "../../../core/json.js";
import { cutUnits } from "../../../core/text/utf16.js";
import type { ProjectorSettings } from "./projector-settings.js";
import { callId, isTerminal, shortText } from "./update-fields.js";

export interface ToolSummary {
  readonly text: string;
  /** The call whose earlier summary this one may take the place of. */
  readonly edits: string | undefined;
}

interface Call {
  readonly title?: string | undefined;
  readonly kind?: string | undefined;
  readonly status?: string | undefined;
  /** The last summary that was shown. */
  readonly shown?: string;
  readonly hasStarted?: boolean;
  readonly hasEnded?: boolean;
}

const CALLS_MAX = 256;
const NEW_CALL: Call = {};

/** What is known of a child's calls. Updates tell only what changed; past the limit the quietest is forgotten. */
export class ToolSummaries {
  readonly #settings: ProjectorSettings;
  readonly #calls = new Map<string, Call>();
  #last: string | undefined;

  constructor(settings: ProjectorSettings) {
    this.#settings = settings;
  }

  /** A `tool_call` or `tool_call_update`; undefined where nothing is to be shown. */
  tell(update: JsonObject, isShown: boolean): ToolSummary | undefined {
    const id = callId(update.toolCallId);
    const before = (id === undefined ? undefined : this.#calls.get(id)) ?? NEW_CALL;
    const call = this.#changed(before, update);
    const isStart = update.sessionUpdate === "tool_call" && !isTerminal(call.status);
    const text = summaryText(call, this.#settings);
    if (!isShown || (this.#settings.hidesRepeats && this.#isRepeat(id, before, isStart, text))) {
      this.#keep(id, call);
      return undefined;
    }
    this.#keep(id, {
      ...call,
      shown: text,
      hasStarted: isStart || call.hasStarted === true,
      hasEnded: isTerminal(call.status) || call.hasEnded === true,
    });
    this.#last = text;
    return { text, edits: before.shown === undefined ? undefined : id };
  }

  #changed(call: Call, { title, kind, status }: JsonObject): Call {
    const field = (value: unknown) => shortText(value, this.#settings.updateMax);
    return {
      ...call,
      title: field(title) ?? call.title,
      kind: field(kind) ?? call.kind,
      status: field(status) ?? call.status,
    };
  }

  /** One start and one end of each call, and nothing after its end. */
  #isRepeat(id: string | undefined, call: Call, isStart: boolean, text: string): boolean {
    if (id === undefined) return text === this.#last;
    return call.hasEnded === true || (isStart && call.hasStarted === true) || text === call.shown;
  }

  #keep(id: string | undefined, call: Call): void {
    if (id === undefined) return;
    this.#calls.delete(id);
    this.#calls.set(id, call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > CALLS_MAX && oldest !== undefined) this.#calls.delete(oldest);
  }
}

/** A command line is no title: it can hold what a chat should not see. */
function summaryText({ title, kind, status }: Call, { fullDetails, updateMax }: ProjectorSettings): string {
  const shownTitle = kind === "execute" && !fullDetails ? undefined : title;
  const parts = [shownTitle, status === undefined ? undefined : `status=${status}`];
  const known = parts.filter((part) => part !== undefined).join(" · ");
  return cutUnits(`🧰 Tool Call: ${known || "tool call"}`, updateMax);
}
