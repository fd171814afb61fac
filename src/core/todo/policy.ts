/** How a dialect wants its list kept: data, so that core never asks which dialect is speaking. */
export interface TodoPolicy {
  /** A second todo in progress: refused, or the others go back to pending, or both stay. */
  readonly focus: "reject" | "demote" | "allow";
  /**
   * When nothing is in progress the first pending todo is started: never, when this write closed one (or began a list),
   * or after every write.
   */
  readonly promote: "never" | "on-close" | "always";
  /**
   * One refused edit refuses the whole write, or only itself (and of several todos to add, those after the refused
   * one).
   */
  readonly batch: "atomic" | "partial";
  /** A list with nothing open is emptied: never, at once, or by the next added todo. */
  readonly clearWhenDone: "never" | "now" | "on-add";
  /**
   * A todo is added whose text is on the list already: both stay, or the new one is refused. A rewrite may repeat
   * texts.
   */
  readonly duplicates: "allow" | "refuse";
  /**
   * The revision grows with each write that changed something, or with every write to a list that was written before.
   */
  readonly revision: "on-change" | "every-write";
  /** Sub-agents share the session's list, or each has its own, or they have none. */
  readonly scope: "session" | "agent" | "main";
  readonly limits: TodoLimits;
}

/** null = no limit. */
export interface TodoLimits {
  readonly todos: number | null;
  readonly notes: number | null;
  readonly codePoints: number | null;
  readonly bytes: number | null;
  /**
   * Empty is what JavaScript trims to nothing, or what is Unicode white space alone: they differ in U+0085 and U+FEFF.
   */
  readonly emptyText: "refuse" | "refuse-white-space" | "allow";
}

/** What most agents do: a call brings the whole list, and nothing is checked but its shape. */
export const WHOLE_LIST: TodoPolicy = {
  focus: "allow",
  promote: "never",
  batch: "atomic",
  clearWhenDone: "never",
  duplicates: "allow",
  revision: "on-change",
  scope: "agent",
  limits: { todos: null, notes: null, codePoints: null, bytes: null, emptyText: "allow" },
};
