import * as z from "zod";
import { defined } from "../../core/json.js";
import { fail, ok } from "../../core/result.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { append, isEventName } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { defineCommand } from "../command-definition.js";
import { findSession } from "../session/find-session.js";
import { SESSIONS, sessionEvent } from "../session/session-view.js";

const TEXT_MAX = 2000;

export const tell = defineCommand({
  details: `The agent reads it with its next step, or with your next prompt. Needs the hooks of milepost setup.

Example:
  milepost tell "Leave the database alone, I am migrating it"`,
  words: ["text"],
  input: z.object({
    text: z.string().describe("the message, in quotes"),
    session: z.string().optional().describe("session id (default: the newest in this project)"),
    as: z.string().optional().describe("sender of the message"),
  }),
  async run({ open, folder }, { text, session: asked, as: actor }) {
    const said = text.trim();
    if (said === "" || said.length > TEXT_MAX) return fail("bad-text", `A message has 1 to ${TEXT_MAX} characters.`);
    if (actor !== undefined && !isEventName(actor))
      return fail("bad-actor", "An actor is 1 to 300 visible characters.");
    const { store } = await open("write");
    const found = await findSession(store, asked, folder);
    if (!found.ok) return found;
    const session = found.value;
    const stream = sessionStream(session);
    const { client, turns, hasUsedList, folder: place } = await store.view(SESSIONS, stream);
    if (client === "" && turns === 0 && !hasUsedList)
      return fail("no-session", `There is no session ${session}. All sessions: milepost sessions --all`);
    const told = sessionEvent({ type: "word.told", text: said, ...defined({ by: actor }) });
    const done = await store.commit(append([{ stream, events: [{ ...told, ...defined({ actor }) }] }]));
    return done.ok ? ok({ session, client, folder: place, text: said }) : done;
  },
  show({ session, client, folder }) {
    const who = `${client || "The agent"}${folder ? ` in ${terminalText(folder)}` : ""} (session ${session})`;
    return `${who} reads it with its next step.\n`;
  },
});
