import type { ViewState } from "./view-state.js";

/** What a key asks the world for. Plain data: the loop carries it out, and tests read it. */
export type Effect =
  /** A command of the table, by the name that the command line has for it. */
  | { readonly type: "verb"; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  /** The same, and its answer is a text to read. */
  | {
      readonly type: "read";
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly title: string;
    }
  /** The same in the person's editor: the screen is theirs meanwhile. */
  | { readonly type: "edit"; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly type: "diff"; readonly session: string; readonly of: "turn" | number }
  | { readonly type: "plan"; readonly plan: string }
  /** `label`: the choice as the person has read it; without one the choices are only shown. */
  | { readonly type: "answer"; readonly session: string; readonly choice: number; readonly label: string | undefined }
  | { readonly type: "copy"; readonly text: string; readonly what: string }
  | { readonly type: "pin"; readonly session: string }
  | { readonly type: "snooze"; readonly session: string }
  | { readonly type: "notices" }
  | { readonly type: "suspend" }
  | { readonly type: "redraw" }
  /** Leaves the view; what is printed stays on the person's own screen. */
  | { readonly type: "leave"; readonly print: readonly string[] };

/** What a key comes to. */
export interface Step {
  readonly state: ViewState;
  readonly effect?: Effect | undefined;
}
