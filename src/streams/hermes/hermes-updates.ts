import { CallPairing } from "../../core/call/call-pairing.js";
import { isObject, type JsonObject, listAt, textAt } from "../../core/json.js";
import { fromJson, isTrue } from "../../dialects/wording/python-value.js";
import type { AcpToolCallUpdate, AcpUpdate } from "../acp/session-update.js";
import { abandonedUpdate, endUpdate, startUpdate } from "./hermes-calls-out.js";
import { planAfterTodo } from "./hermes-todo-texts.js";
import { type HermesEdition, isTodoTool } from "./hermes-tools.js";
import { resultText } from "./hermes-values.js";

/** What Hermes calls its host back with; all of it is untrusted. `prevTools` are those of the finished step. */
export type HermesCallback =
  | { readonly type: "tool.started"; readonly name: unknown; readonly preview?: unknown; readonly args?: unknown }
  | { readonly type: "tool.completed"; readonly name: unknown; readonly result?: unknown; readonly isError?: unknown }
  | { readonly type: "step"; readonly prevTools: unknown }
  | { readonly type: "turn.ended" };

export interface HermesUpdates {
  /** What to send to the editor, in order. */
  tell(callback: HermesCallback): readonly AcpUpdate[];
  /** An update could not be sent: its call is open again, and the next end of its tool, or of the turn, closes it. */
  takeBack(update: AcpUpdate): void;
}

export interface HermesUpdatesOptions {
  /** The newest where none is named. */
  readonly edition?: HermesEdition | undefined;
  /** Makes the ids of calls; Hermes' own are `tc-` and 12 hex digits. */
  readonly newId: () => string;
}

/** The session updates of Hermes' own ACP adapter, from the callbacks of its agent. One for each session. */
export function createHermesUpdates({ edition = "2026-09", newId }: HermesUpdatesOptions): HermesUpdates {
  return new HermesAdapter(edition, newId);
}

class HermesAdapter implements HermesUpdates {
  readonly #edition: HermesEdition;
  readonly #calls: CallPairing;
  /** The tool of each end that was told, for as long as the host holds the update. */
  readonly #ended = new WeakMap<AcpUpdate, { readonly id: string; readonly tool: string }>();
  /** In this turn ends are told one by one: the step's are the same ones again. */
  #hasCompletions = false;

  constructor(edition: HermesEdition, newId: () => string) {
    this.#edition = edition;
    this.#calls = new CallPairing({ newId });
  }

  tell(callback: HermesCallback): readonly AcpUpdate[] {
    switch (callback.type) {
      case "tool.started":
        return this.#start(callback);
      case "tool.completed":
        return this.#complete(callback);
      case "step":
        return listAt(callback.prevTools).flatMap((tool) => this.#afterStep(tool));
      case "turn.ended":
        return this.#endTurn();
    }
  }

  takeBack(update: AcpUpdate): void {
    const call = this.#ended.get(update);
    if (call) this.#calls.putBack(call);
  }

  #start({ name, preview, args }: Extract<HermesCallback, { type: "tool.started" }>): readonly AcpUpdate[] {
    const tool = textAt(name);
    if (tool === undefined) return [];
    const id = this.#calls.start({ tool });
    return [startUpdate({ id, tool, preview: textAt(preview), args }, this.#edition)];
  }

  #complete({ name, result, isError }: Extract<HermesCallback, { type: "tool.completed" }>): readonly AcpUpdate[] {
    const tool = textAt(name);
    if (tool === undefined || this.#edition === "2026-08") return [];
    this.#hasCompletions = true;
    return this.#end({ tool, result: resultText(result), isError: isTrue(fromJson(isError)) });
  }

  #afterStep(told: unknown): readonly AcpUpdate[] {
    const { tool, result } = finishedTool(told, this.#edition);
    if (tool === undefined) return [];
    const ended = this.#hasCompletions ? [] : this.#end({ tool, result: resultText(result) });
    // Without an open call there is nothing to report, and no plan either.
    if (!this.#hasCompletions && ended.length === 0) return [];
    const plan = isTodoTool(tool) ? planAfterTodo(result) : undefined;
    return plan ? [...ended, plan] : ended;
  }

  #end(call: { readonly tool: string; readonly result: string | undefined; readonly isError?: boolean }): AcpUpdate[] {
    const id = this.#calls.end({ tool: call.tool });
    if (id === undefined) return [];
    const update: AcpToolCallUpdate = endUpdate({ id, ...call }, this.#edition);
    this.#ended.set(update, { id, tool: call.tool });
    return [update];
  }

  #endTurn(): readonly AcpUpdate[] {
    this.#hasCompletions = false;
    const open = this.#calls.endAll();
    return this.#edition === "2026-08" ? [] : open.map(abandonedUpdate);
  }
}

/** One of `prev_tools`: an object with one of two sets of names, or only the tool's name. */
function finishedTool(told: unknown, edition: HermesEdition): { readonly tool?: string | undefined; result?: unknown } {
  if (typeof told === "string") return { tool: textAt(told) };
  if (!isObject(told)) return {};
  return { tool: textAt(told.name) ?? textAt(told.function_name), result: resultOf(told, edition) };
}

/** The older edition takes what Python calls false for no answer: an empty text, 0. */
function resultOf(told: JsonObject, edition: HermesEdition): unknown {
  const { result, output } = told;
  if (edition !== "2026-08") return Object.hasOwn(told, "result") ? result : output;
  return [result, output].find((value) => isTrue(fromJson(value)));
}
