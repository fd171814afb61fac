import { CallPairing } from "../../core/call/call-pairing.js";
import { idAt, isObject, type JsonObject, oneLine } from "../../core/json.js";
import { factsAtEnd, type HeldCall, holdCall } from "../held-call.js";
import type { AcpNews } from "./acp-fact.js";
import { NAME_SOURCES, type NameSource, outputOf, problemOf, subjectOf, toolOf } from "./acp-tool.js";
import { withToldFacts } from "./told-facts.js";

interface OpenCall {
  readonly held: HeldCall;
  readonly tool: string;
  readonly server?: string | undefined;
  readonly knownBy: NameSource;
  readonly subject?: string | undefined;
  readonly title?: string | undefined;
  /** Milliseconds. */
  readonly at: number;
  readonly isTold: boolean;
}

const MOST_OPEN = 500;

/** Ended calls whose repeated ends are known for what they are; agents send the last update of a call twice. */
const MOST_ENDED = 1000;

const ENDS: ReadonlyMap<unknown, "completed" | "failed" | "cancelled"> = new Map([
  ["completed", "completed"],
  ["failed", "failed"],
  ["cancelled", "cancelled"],
] as const);

/**
 * The calls of one session. Agents tell of a call in pieces: first its name, then what it was called with, then how it
 * goes on. It has started when it is known what was called with which arguments, or when it runs. An update belongs to
 * the call with its id; one without an id to the oldest open call of its tool.
 */
export class AcpCalls {
  readonly #open = new Map<string, OpenCall>();
  readonly #ended = new Set<string>();
  readonly #pairs: CallPairing;

  constructor() {
    let made = 0;
    this.#pairs = new CallPairing({
      newId: () => {
        made += 1;
        return `acp-${made}`;
      },
      most: MOST_OPEN,
    });
  }

  /** `update`: a `tool_call` or `tool_call_update`; or the call that a permission is asked for. */
  hear(update: JsonObject, at: number): readonly AcpNews[] {
    const told = idAt(update.toolCallId);
    const named = toolOf(update);
    const end = ENDS.get(update.status);
    const known = this.#known(told, named.tool, update);
    if (known === undefined && told !== undefined && this.#ended.has(told)) return [];
    // Nobody knows whose end it is.
    if (known === undefined && told === undefined && update.sessionUpdate !== "tool_call") return [];
    const call = known ?? this.#pairs.start({ id: told, tool: named.tool });
    const before = this.#open.get(call);
    const next = merged(before, update, named, at);
    this.#keep(call, next);
    const isStart = !next.isTold && (end !== undefined || hasBegun(update, next));
    const news: AcpNews[] = [];
    if (isStart) news.push(startOf(call, next));
    if (end !== undefined) news.push(this.#end(call, { ...next, isTold: true }, { status: end, update, at }));
    else if (isStart) this.#open.set(call, { ...next, isTold: true });
    return news;
  }

  /** The turn is over, and nobody has told how these calls ended. */
  endAll(at: number): readonly AcpNews[] {
    const open = [...this.#open].filter(([, { isTold }]) => isTold);
    const news = open.map(([call, one]) => this.#end(call, one, { status: "cancelled", update: {}, at }));
    this.#open.clear();
    this.#pairs.endAll();
    return news;
  }

  /** The open call that an update belongs to. */
  #known(told: string | undefined, tool: string, { sessionUpdate }: JsonObject): string | undefined {
    if (told !== undefined) return this.#open.has(told) ? told : undefined;
    if (sessionUpdate === "tool_call") return undefined;
    return this.#pairs.openCalls().find((one) => one.tool === tool && !one.isNamed)?.id;
  }

  #keep(call: string, next: OpenCall): void {
    this.#open.set(call, next);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#open.delete(oldest);
  }

  #end(
    call: string,
    { held, tool, server, subject, at: startedAt }: OpenCall,
    { status, update, at }: { status: "completed" | "failed" | "cancelled"; update: JsonObject; at: number },
  ): AcpNews {
    this.#open.delete(call);
    this.#pairs.end({ id: call });
    this.#ended.add(call);
    const [oldest] = this.#ended;
    if (this.#ended.size > MOST_ENDED && oldest !== undefined) this.#ended.delete(oldest);
    const output = outputOf(update);
    const problem = status === "failed" ? problemOf(output) : undefined;
    const facts = { ...held.start, ...factsAtEnd(held, { output, error: problem, status }) };
    const milliseconds = Math.max(0, at - startedAt);
    return { type: "call.ended", call, tool, server, subject, status, problem, facts, milliseconds };
  }
}

function startOf(call: string, { held, tool, server, subject }: OpenCall): AcpNews {
  return { type: "call.started", call, tool, server, subject, facts: held.start };
}

function hasInput({ rawInput }: JsonObject): boolean {
  return isObject(rawInput) ? Object.keys(rawInput).length > 0 : rawInput !== undefined && rawInput !== null;
}

/** `pending` with no arguments: the model is still writing them. */
function hasBegun(update: JsonObject, { held }: OpenCall): boolean {
  return update.status === "in_progress" || hasInput(update) || held.start.isList === true;
}

/** What is known of a call after one more update: a later one tells only what has changed. */
function merged(
  before: OpenCall | undefined,
  update: JsonObject,
  named: ReturnType<typeof toolOf>,
  at: number,
): OpenCall {
  const title = oneLine(update.title) ?? before?.title;
  if (before && !hasInput(update)) {
    const server = before.server ?? named.server;
    // Only the answer tells that the tool is an MCP server's, and its name without the server's.
    const isLate = before.server === undefined && named.server !== undefined;
    const tool = isLate ? named.tool : before.tool;
    const held = isLate ? holdCall({ tool, server, input: before.held.input }) : before.held;
    return { ...before, title, tool, server, held: toldIn(held, before.held, update) };
  }
  // A later update may have no name, or a title that says how it went: what was told first stays.
  const isSurer = before === undefined || named.knownBy === "name" || sureness(named) > sureness(before);
  const { tool, server, knownBy } = isSurer ? named : before;
  const { input } = named;
  return {
    held: toldIn(holdCall({ tool, server, input }), before?.held, update),
    tool,
    server,
    knownBy,
    subject: subjectOf(input, title),
    title,
    at: before?.at ?? at,
    isTold: before?.isTold ?? false,
  };
}

function toldIn(held: HeldCall, before: HeldCall | undefined, update: JsonObject): HeldCall {
  const start = withToldFacts(held.start, before?.start, update);
  return start === held.start ? held : { ...held, start };
}

function sureness({ knownBy }: { readonly knownBy: NameSource }): number {
  return NAME_SOURCES.indexOf(knownBy);
}
