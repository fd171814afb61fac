// OpenClaw's auto-reply projector: what a child ACP session says and does, as messages in a chat. Pure: whoever has one
// brings each session update and the time, and sends what it gives.
import { defined, type JsonObject, objectAt } from "../../../core/json.js";
import { CappedAnswer } from "./capped-answer.js";
import { PacedText } from "./paced-text.js";
import { type OpenclawProjectorOptions, type ProjectorSettings, projectorSettings } from "./projector-settings.js";
import { StatusLines } from "./status-lines.js";
import { ToolSummaries } from "./tool-summaries.js";
import { isTerminal, saidText } from "./update-fields.js";

export type { OpenclawProjectorOptions } from "./projector-settings.js";

export interface ProjectedMessage {
  readonly type: "text" | "summary" | "status";
  readonly text: string;
  /** The `toolCallId` whose earlier message this one may take the place of. */
  readonly edits?: string;
}

/** One for each turn of the child. Times are milliseconds. */
export interface OpenclawProjector {
  /** A session update of the Agent Client Protocol. Untrusted. What was due before comes first. */
  tell(update: unknown, now: number): readonly ProjectedMessage[];
  /** What has come due until now. */
  advance(now: number): readonly ProjectedMessage[];
  /** When `advance` has something to do, if nothing is told before; undefined: never. */
  nextTime(): number | undefined;
  /** The turn is over: what waited is sent, and nothing after it. */
  end(now: number): readonly ProjectedMessage[];
}

const TRUNCATED: ProjectedMessage = { type: "status", text: "⚙️ output truncated" };
/** Of what is held for the end; past them the oldest is dropped. */
const HELD_MAX = 1000;

export function createOpenclawProjector(options: OpenclawProjectorOptions = {}): OpenclawProjector {
  return new Projector(projectorSettings(options));
}

class Projector implements OpenclawProjector {
  readonly #settings: ProjectorSettings;
  readonly #answer: CappedAnswer;
  readonly #paced: PacedText;
  readonly #summaries: ToolSummaries;
  readonly #lines: StatusLines;
  readonly #held: ProjectedMessage[] = [];
  #isEnded = false;

  constructor(settings: ProjectorSettings) {
    this.#settings = settings;
    this.#answer = new CappedAnswer(settings.outputMax, settings.isLive ? " " : "\n\n");
    this.#paced = new PacedText(settings.isLive);
    this.#summaries = new ToolSummaries(settings);
    this.#lines = new StatusLines(settings);
  }

  tell(update: unknown, now: number): readonly ProjectedMessage[] {
    if (this.#isEnded) return [];
    const due = this.advance(now);
    return [...due, ...this.#hear(objectAt(update), now)];
  }

  advance(now: number): readonly ProjectedMessage[] {
    return this.#isEnded ? [] : texts(this.#paced.advance(now));
  }

  nextTime(): number | undefined {
    return this.#isEnded ? undefined : this.#paced.nextTime();
  }

  end(now: number): readonly ProjectedMessage[] {
    if (this.#isEnded) return [];
    const due = this.advance(now);
    this.#isEnded = true;
    const isCut = !this.#settings.isLive && this.#answer.isOver();
    return [...due, ...this.#held.splice(0), ...texts(this.#paced.takeAll()), ...(isCut ? [TRUNCATED] : [])];
  }

  #hear(update: JsonObject, now: number): readonly ProjectedMessage[] {
    const isShown = this.#settings.isVisible(update.sessionUpdate);
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
      case "agent_thought_chunk":
        return isShown ? this.#say(saidText(update) ?? "", now) : [];
      case "user_message_chunk":
        return [];
      case "tool_call":
      case "tool_call_update":
        return this.#tellCall(update, isShown);
      default:
        return isShown ? this.#tellStatus(update) : [];
    }
  }

  #say(piece: string, now: number): readonly ProjectedMessage[] {
    const wasOver = this.#answer.isOver();
    const sent = texts(this.#paced.add(this.#answer.admit(piece), now));
    const isCut = !wasOver && this.#answer.isOver();
    return this.#settings.isLive && isCut ? [...sent, ...this.#show(TRUNCATED)] : sent;
  }

  #tellCall(update: JsonObject, isShown: boolean): readonly ProjectedMessage[] {
    if (!isShown && (update.sessionUpdate === "tool_call" || isTerminal(update.status))) this.#answer.part();
    const summary = this.#summaries.tell(update, isShown);
    return summary === undefined ? [] : this.#show(defined({ type: "summary", ...summary }));
  }

  #tellStatus(update: JsonObject): readonly ProjectedMessage[] {
    const line = this.#lines.tell(update);
    return line === undefined ? [] : this.#show({ type: "status", text: line });
  }

  /** Text that came before it is sent before it; or else all waits for the end. */
  #show(message: ProjectedMessage): readonly ProjectedMessage[] {
    if (this.#settings.isLive) return [...texts(this.#paced.takeAll()), message];
    this.#held.push(message);
    if (this.#held.length > HELD_MAX) this.#held.shift();
    return [];
  }
}

function texts(sent: readonly string[]): readonly ProjectedMessage[] {
  return sent.map((text) => ({ type: "text", text }));
}
