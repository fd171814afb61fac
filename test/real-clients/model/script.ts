/** What the scripted model says. Written once, spoken to both clients: each fake endpoint puts it into its own wire format. */
export interface ModelStep {
  readonly say?: string;
  readonly calls?: readonly ModelCall[];
  /** Reports a context near its limit, so the client compacts before the next request. */
  readonly contextFull?: boolean;
}

/**
 * `own` is a tool of the client itself, such as TaskCreate or update_plan, with `raw` for arguments that are no object or
 * no JSON; `guess` one of ours that nobody told it of.
 */
export type ModelCall =
  | { readonly type: "todo"; readonly input: ToolInput }
  | { readonly type: "shell"; readonly command: string }
  | { readonly type: "own"; readonly name: string; readonly input: ToolInput; readonly raw?: string }
  | { readonly type: "guess"; readonly tool: string; readonly input: ToolInput };

type ToolInput = Readonly<Record<string, unknown>>;

/** A step may wait for something first; that is how two sessions are made to run at the same time. */
export type ModelScript = readonly (ModelStep | (() => Promise<ModelStep>))[];

export const say = (text: string): ModelStep => ({ say: text });
export const todo = (input: ToolInput): ModelStep => ({ calls: [{ type: "todo", input }] });
export const shell = (command: string): ModelStep => ({ calls: [{ type: "shell", command }] });
export const own = (name: string, input: ToolInput): ModelStep => ({ calls: [{ type: "own", name, input }] });

/** One text of a model request. `hook` cannot be told apart here: see `injected` in requests.ts. */
export interface RequestText {
  readonly from: "client" | "user" | "model" | "tool";
  readonly text: string;
}

/** A tool that the model can call at once, under the name it is called by. */
export interface OfferedTool {
  readonly name: string;
  readonly definition: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  /** `summary` is the client's own compaction, `side` a title or another call without tools. */
  readonly kind: "turn" | "summary" | "side";
  /** In the order the model reads them. */
  readonly texts: readonly RequestText[];
  readonly tools: readonly OfferedTool[];
  readonly body: unknown;
  /** When it came, in milliseconds of `performance.now()`. */
  readonly at: number;
}

/** A model endpoint on this machine that plays a script to one client. */
export interface FakeModel {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Requests that no answer could be made for, such as a call of a tool that the model was never told of. */
  readonly failures: readonly string[];
  /** Appends to the script. */
  play(script: ModelScript): void;
  /** How many steps were not asked for yet. */
  left(): number;
  close(): Promise<void>;
}

interface ScriptPlayer {
  readonly play: FakeModel["play"];
  readonly left: FakeModel["left"];
  /** The next step for each turn. After the last one it only closes, so a client that goes on never hangs. */
  next(kind: ModelRequest["kind"]): Promise<ModelStep>;
  /** The same step again: the model has to look up a tool first. */
  putBack(step: ModelStep): void;
}

const SUMMARY = "<summary>The work is under way.</summary>";
const OUT_OF_SCRIPT = "Nothing further.";
/** Why a scripted model cannot make a call: nothing in the request names the tool. */
export const NEVER_TOLD = "The model was never told of the tool";

export function openPlayer(script: ModelScript): ScriptPlayer {
  const steps = [...script];
  return {
    play: (more) => void steps.push(...more),
    left: () => steps.length,
    putBack: (step) => void steps.unshift(step),
    next: async (kind) => {
      if (kind === "summary") return say(SUMMARY);
      if (kind === "side") return say('{"title":"Scripted run"}');
      const step = steps.shift() ?? say(OUT_OF_SCRIPT);
      return typeof step === "function" ? await step() : step;
    },
  };
}
