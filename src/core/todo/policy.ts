/** How a dialect wants its list kept: data, so that core never asks which dialect is speaking. */
export interface TodoPolicy {
  /**
   * A second todo in progress: refused (`reject-new`: only by the write that starts it, so that a list which somebody
   * else left with two can still be written), or the others go back to pending, or both stay.
   */
  readonly focus: "reject" | "reject-new" | "demote" | "allow";
  /**
   * Nothing is in progress: the first pending todo is started never, after closing one (or beginning a list), always.
   */
  readonly promote: "never" | "on-close" | "always";
  /** A refused edit refuses the whole write, or only itself (and of several todos to add, those after it). */
  readonly batch: "atomic" | "partial";
  /** A list with nothing open is emptied: never, at once, or by the next added todo. */
  readonly clearWhenDone: "never" | "now" | "on-add";
  /** An added todo whose text is on the list already stays, or is refused. A rewrite may always repeat texts. */
  readonly duplicates: "allow" | "refuse";
  /** The revision grows with each write that changes something, or with every write to a list written before. */
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
  /** Empty: JavaScript trims it to nothing, or it is all Unicode white space; they differ in U+0085 and U+FEFF. */
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
