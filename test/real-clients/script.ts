/** What the scripted model says. Written once, spoken to both clients: each fake endpoint puts it into its own wire format. */
export interface ModelStep {
  readonly say?: string;
  readonly calls?: readonly ModelCall[];
  /** Reports a context near its limit, so the client compacts before the next request. */
  readonly contextFull?: boolean;
}

export type ModelCall =
  | { readonly type: "todo"; readonly input: Readonly<Record<string, unknown>> }
  | { readonly type: "shell"; readonly command: string };

/** A step may wait for something first; that is how two sessions are made to run at the same time. */
export type ModelScript = readonly (ModelStep | (() => Promise<ModelStep>))[];

export const say = (text: string): ModelStep => ({ say: text });
export const todo = (input: Readonly<Record<string, unknown>>): ModelStep => ({ calls: [{ type: "todo", input }] });
export const shell = (command: string): ModelStep => ({ calls: [{ type: "shell", command }] });

/** One text of a model request. `hook` cannot be told apart here: see `injected` in requests.ts. */
export interface RequestText {
  readonly from: "client" | "user" | "model" | "tool";
  readonly text: string;
}

export interface ModelRequest {
  /** `summary` is the client's own compaction, `side` a title or another call without tools. */
  readonly kind: "turn" | "summary" | "side";
  /** In the order the model reads them. */
  readonly texts: readonly RequestText[];
  readonly body: unknown;
}

const SUMMARY = "<summary>The work is under way.</summary>";

/** Gives the next step for each turn. After the last one it only closes, so a client that goes on never hangs. */
export function playScript(script: ModelScript): (kind: ModelRequest["kind"]) => Promise<ModelStep> {
  const steps = [...script];
  return async (kind) => {
    if (kind === "summary") return say(SUMMARY);
    if (kind === "side") return say('{"title":"Scripted run"}');
    const step = steps.shift() ?? say("Nothing further.");
    return typeof step === "function" ? await step() : step;
  };
}
