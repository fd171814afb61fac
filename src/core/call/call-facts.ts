import { count, fields, list, maybe, oneOf, type Shape, text } from "../shape.js";

/** What sort of tool it is; the words are those of the Agent Client Protocol, as far as they matter here. */
export const CALL_KINDS = ["read", "search", "edit", "execute", "fetch", "agent", "other"] as const;
export type CallKind = (typeof CALL_KINDS)[number];

/** What can show that work is right. */
export const CHECK_KINDS = ["tests", "lint", "build", "types", "request", "screenshot"] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

/** `unknown`: it ran, and nothing tells how it went: its exit code was lost in a pipe. */
export const CHECK_RESULTS = ["passed", "failed", "unknown"] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

/** `network`: the service or the way to it failed, not the call. `no-tool`: there is no such tool. */
export const TROUBLES = ["network", "no-tool"] as const;
export type Trouble = (typeof TROUBLES)[number];

/** What the arguments of a call tell. Nothing of them is kept but this. */
export interface CallStart {
  readonly kind: CallKind;
  /** The same for the same tool and arguments, whatever the order of their keys. */
  readonly signature: string;
  /** The files that it reads or changes, as the call names them; the first few. */
  readonly files?: readonly string[];
  /** It changes files, and all of them are prose: documents, not code. */
  readonly isProse?: true;
  /** A command that plainly changes files; a tool that is there to change them has the kind `edit`. */
  readonly isChange?: true;
  /** A command that only looks: it reads and prints, and leaves all as it was. */
  readonly isLook?: true;
  /** It is a check, if it ran. */
  readonly check?: CheckKind;
  /** It looks whether something else is over: that nothing has changed is no loop. */
  readonly isPoll?: true;
  /** Of a list tool or a plan tool of the client, or of ours: it is not the work itself. */
  readonly isList?: true;
}

/** What the answer to a call tells. */
export interface CallEnd {
  /** The same for the same answer, times and ids left out; absent where nobody told the answer. */
  readonly outcome?: string;
  /** Characters of the answer. */
  readonly size?: number;
  readonly exit?: number;
  /** Lines that it added to and removed from files. */
  readonly added?: number;
  readonly removed?: number;
  /** Of a check. */
  readonly result?: CheckResult;
  readonly trouble?: Trouble;
  /** It was to change a file and has changed nothing. */
  readonly isUnchanged?: true;
}

export type CallFacts = Partial<CallStart> & CallEnd;

/**
 * What is told of a call at its start and at its end, as one. Field by field, and all of them: this is done for every
 * call of every transcript, spreads take a hundred times as long, and objects of one shape are read fastest. A field
 * that nobody told is there as undefined, which JSON leaves out.
 */
export function wholeFacts(start: Partial<CallStart> = NOT_TOLD, end: CallEnd = NOT_TOLD): CallFacts {
  const { kind, signature, files, isProse, isChange, isLook, check, isPoll, isList } = start;
  const { outcome, size, exit, added, removed, result, trouble, isUnchanged } = end;
  return {
    kind,
    signature,
    files,
    isProse,
    isChange,
    isLook,
    check,
    isPoll,
    isList,
    outcome,
    size,
    exit,
    added,
    removed,
    result,
    trouble,
    isUnchanged,
  } as CallFacts;
}

const NOT_TOLD = {};

/** One call of a reply, as detectors see it. `tool`: with the name of its server, where it has one. */
export interface RoundCall extends CallFacts {
  readonly tool: string;
  readonly status: "completed" | "failed" | "cancelled";
  readonly milliseconds?: number;
}

const truth: Shape = (value) => value === true;

export const CALL_FACTS: Readonly<Record<string, Shape>> = {
  kind: maybe(oneOf(CALL_KINDS)),
  signature: maybe(text),
  files: maybe(list(text)),
  isProse: maybe(truth),
  isChange: maybe(truth),
  check: maybe(oneOf(CHECK_KINDS)),
  isLook: maybe(truth),
  isPoll: maybe(truth),
  isList: maybe(truth),
  outcome: maybe(text),
  size: maybe(count),
  exit: maybe(Number.isSafeInteger as Shape),
  added: maybe(count),
  removed: maybe(count),
  result: maybe(oneOf(CHECK_RESULTS)),
  trouble: maybe(oneOf(TROUBLES)),
  isUnchanged: maybe(truth),
};

export const isRoundCall = fields({
  ...CALL_FACTS,
  tool: text,
  status: oneOf(["completed", "failed", "cancelled"]),
  milliseconds: maybe(count),
});
