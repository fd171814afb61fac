import type { TaskReport } from "../tasks/task-report.js";
import type { SessionReport } from "../transcripts/session-report.js";

// The words of the demo: its story is data (`demo-scenes.ts`), its stage does what the data says (`demo-stage.ts`), and
// `play-demo.ts` tells it moment by moment. Nothing here answers for the engine.

/** Agents of two vendors, which work in the same project. */
export type DemoAgent = "claude-code" | "codex";

/** One thing that happens, as a client, a model or the person would do it. */
export type DemoAct =
  /** A hook that tells of no call. */
  | { readonly type: "hook"; readonly agent: DemoAgent; readonly event: string; readonly fields?: object }
  /** A call of the client's own tool, told by the hooks around it. `takes`: milliseconds; `error`: it failed. */
  | {
      readonly type: "tool";
      readonly agent: DemoAgent;
      readonly tool: string;
      readonly input: object;
      readonly takes: number;
      readonly output: unknown;
      readonly error?: string;
    }
  /** A call of our own tool, with the hooks around it. */
  | { readonly type: "call"; readonly agent: DemoAgent; readonly tool: "todo" | "task"; readonly input: object }
  /** The client asks the person, and the call waits. */
  | { readonly type: "asks"; readonly agent: DemoAgent; readonly tool: string; readonly input: object }
  /** What the person said to it, in the client. */
  | { readonly type: "answered"; readonly agent: DemoAgent; readonly words: string; readonly output: unknown }
  /** `milepost plan approve`, for the plan of that agent. */
  | { readonly type: "approve"; readonly agent: DemoAgent }
  /** `milepost tell`. */
  | { readonly type: "tell"; readonly agent: DemoAgent; readonly text: string };

/** What came back: a tool's answer, a command's output, or what a hook tells the model. */
export interface DemoAnswer {
  readonly to: "hook" | "tool" | "command";
  readonly text: string;
  readonly isError: boolean;
}

/** What every view of the stage's store shows after a moment, and what was answered in it. */
export interface DemoLook {
  readonly claude: SessionReport | undefined;
  readonly codex: SessionReport | undefined;
  readonly tasks: readonly TaskReport[];
  readonly answers: readonly DemoAnswer[];
}

/** What must hold after a moment, and does not before it. */
export interface DemoCheck {
  readonly what: string;
  readonly holds: (look: DemoLook) => boolean;
}

export interface DemoMoment {
  readonly agent: DemoAgent | "person";
  /** One or two short sentences: a live view has one row for them. */
  readonly story: string;
  readonly acts: readonly DemoAct[];
  /** Milliseconds to read what has happened. */
  readonly pause: number;
  readonly check?: DemoCheck;
}

/** How an act is written in a row. */
export function actText(act: DemoAct): string {
  switch (act.type) {
    case "hook":
      return [act.event, ...wordsIn(act.fields ?? {})].join(" ");
    case "tool":
      return [act.tool, ...wordsIn(act.input), ...(act.error === undefined ? [] : ["(fails)"])].join(" ");
    case "call":
      return `${act.tool} ${JSON.stringify(act.input)}`;
    case "asks":
      return [act.tool, ...wordsIn(act.input)].join(" ");
    case "answered":
      return `answered: ${act.words}`;
    case "approve":
      return "milepost plan approve";
    case "tell":
      return `milepost tell ${JSON.stringify(act.text)}`;
  }
}

/** Fields that say what it is about, in one of their rows. */
const WORDS: Readonly<Record<string, RegExp>> = {
  prompt: /.+/,
  source: /.+/,
  trigger: /.+/,
  command: /(?<=\*\*\* Add File: ).+|^(?!\*\*\*).+/m,
  file_path: /[^/]+\/[^/]+$|[^/]+$/,
  pattern: /.+/,
  plan: /[^#\s].*/,
  questions: /(?<="question":")[^"]*/,
};

function wordsIn(input: object): readonly string[] {
  const found = Object.entries(input).flatMap(([name, value]) => {
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    return (Object.hasOwn(WORDS, name) ? WORDS[name] : undefined)?.exec(text)?.[0] ?? [];
  });
  return found.slice(0, 1);
}
