import { checkId } from "../../core/id.js";
import { fail, ok } from "../../core/result.js";
import { defineCommand } from "../command-definition.js";
import { needed, text, toggle } from "../fields.js";

export const forget = defineCommand({
  details: `Deletes the session's list and history, those of its sub-agents, its calls, stored answers, and what was
read of its transcripts. This cannot be undone: if in doubt, run milepost backup first. Older backups and exports still
contain it. Transcripts are the agent's own files: they are not deleted, and are read again while they exist.`,
  examples: ["milepost forget 0199-ab12 --yes"],
  words: ["session"],
  input: {
    session: needed(text("SESSION", "session id")),
    yes: toggle("do not ask for confirmation"),
  },
  async run({ open, confirm }, { session, yes }) {
    const refused = checkId("session", session);
    if (refused) return refused;
    if (!yes) {
      const isSure = await confirm(`Delete everything stored about session ${session}? This cannot be undone.`);
      if (isSure === undefined)
        return fail("needs-yes", "Nothing was deleted: confirmation needs a terminal, or --yes.");
      if (!isSure) return fail("not-confirmed", "Nothing was deleted.");
    }
    const { store } = await open("read");
    const { streams, events, readings } = await store.forget(session);
    if (streams.length + readings === 0)
      return fail("unknown-session", `The store has no session ${session}. Nothing was deleted.`);
    return ok({ session, streams: streams.length, events, readings });
  },
  show({ session, streams, events, readings }) {
    const transcripts = readings === 1 ? "a transcript" : `${readings} transcripts`;
    const read = readings === 0 ? "" : `, and what was read of ${transcripts}`;
    return `Deleted session ${session}: ${events} events in ${streams} streams${read}.\n`;
  },
});
