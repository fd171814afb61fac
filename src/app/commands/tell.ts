import * as z from "zod";
import { fail, ok } from "../../core/result.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { append, isEventName } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { defineCommand } from "../command.js";
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
    if (said === "" || said.length > TEXT_MAX)
      return fail({ code: "bad-text", message: `A message has 1 to ${TEXT_MAX} characters.` });
    if (actor !== undefined && !isEventName(actor))
      return fail({ code: "bad-actor", message: "An actor is 1 to 300 visible characters." });
    const { store } = await open("write");
    const session = await findSession(store, asked, folder);
    if (!session.ok) return session;
    const known = await store.view(SESSIONS, sessionStream(session.value));
    if (known.client === "" && known.turns === 0 && !known.hasUsedList) return fail(unknownSession(session.value));
    const told = sessionEvent({ type: "word.told", text: said, ...(actor === undefined ? undefined : { by: actor }) });
    const events = [actor === undefined ? told : { ...told, actor }];
    const done = await store.commit(append([{ stream: sessionStream(session.value), events }]));
    const { client, folder: place } = known;
    return done.ok ? ok({ session: session.value, client, folder: place, text: said }) : done;
  },
  show({ session, client, folder }) {
    const who = `${client || "The agent"}${folder ? ` in ${terminalText(folder)}` : ""} (session ${session})`;
    return `${who} reads it with its next step.\n`;
  },
});

function unknownSession(session: string) {
  return { code: "no-session", message: `There is no session ${session}. All sessions: milepost sessions --all` };
}
