import { defined } from "../../core/json.js";
import { ok } from "../../core/result.js";
import type { NamedSession } from "../../core/session/match-session.js";
import type { EventStore, Page } from "../../store/event-store.js";
import { sessionOf } from "../../store/stream.js";
import { HOST_FORMAT_NAMES, HOST_FORMATS } from "../../streams/host-formats.js";
import { defineCommand } from "../command-definition.js";
import { choice, text, toggle } from "../fields.js";
import { jsonLines } from "../json-lines.js";
import { findSession } from "../session/find/find-session.js";
import { HostMessages, isWithin } from "../streams-out/host-messages.js";
import { printedEvent } from "./transfer/transfer-lines.js";

const FORMATS = ["milepost", ...HOST_FORMAT_NAMES] as const;

export const events = defineCommand({
  details: `One event per line: {"cursor","stream","version","type","at","data"}, some with "id" and "actor". "data" is
as it was stored, with times in milliseconds. A "cursor" can be passed to --after later, for this store only. If events
after that cursor have been pruned, a line {"type":"log.pruned","upTo":CURSOR} comes first.

--format acp prints session/update messages of the Agent Client Protocol (plan, calls, compactions, modes, notices),
--format codex what codex app-server sends of plans (turn/plan/updated, item/plan/delta), for programs that draw those.
A sub-agent is a session of its own there, SESSION/AGENT.`,
  examples: [
    "milepost events --follow",
    "milepost events | jq -r '[.stream, .type] | @tsv'",
    "milepost events --format acp --session acc5a7",
  ],
  input: {
    after: text("CURSOR", "start after this cursor", { standard: "0" }),
    stream: text("STREAM", "only events of this stream, such as session:ID"),
    session: text("SESSION", "only this session and its sub-agents: its id, or a prefix of it"),
    format: choice(FORMATS, "our events, or the messages of another protocol", "milepost"),
    follow: toggle("wait for new events until Ctrl+C"),
  },
  async run(context, { after, stream, session: asked, format, follow }) {
    const { open, output, interrupted } = context;
    const found = asked === undefined ? undefined : await findSession(context, { session: asked });
    if (found?.ok === false) return found;
    const only = found && nameOf(found.value);
    const { store } = await open("read");
    const options = defined({ after, stream });
    const pages = follow ? await store.follow({ ...options, signal: interrupted() }) : await store.read(options);
    if (!pages.ok) return pages;
    const printed = recordsIn(store, format, only);
    for await (const page of pages.value) for (const piece of jsonLines(await printed(page))) await output.write(piece);
    return ok(undefined);
  },
});

function nameOf({ session, agent }: NamedSession): string {
  return agent === undefined ? session : `${session}/${agent}`;
}

type Printed = (page: Page) => Promise<readonly object[]>;

function recordsIn(store: EventStore, format: (typeof FORMATS)[number], only: string | undefined): Printed {
  if (format === "milepost") return async (page) => recordsOf(page, only);
  const messages = new HostMessages(store, HOST_FORMATS[format](), only);
  return async (page) => {
    const all: object[] = [];
    for await (const message of messages.of(page)) all.push(message);
    return all;
  };
}

function recordsOf({ events, prunedUpTo }: Page, only: string | undefined): readonly object[] {
  const gap = prunedUpTo === undefined ? [] : [{ type: "log.pruned", upTo: prunedUpTo }];
  return [...gap, ...events.filter(({ stream }) => isAbout(stream, only)).map(printedEvent)];
}

function isAbout(stream: string, only: string | undefined): boolean {
  if (only === undefined) return true;
  return sessionOf(stream) !== undefined && isWithin(stream.slice(stream.indexOf(":") + 1), only);
}
