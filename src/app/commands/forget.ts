import * as z from "zod";
import { checkId } from "../../core/id.js";
import { fail, ok } from "../../core/result.js";
import { defineCommand } from "../command.js";

export const forget = defineCommand({
  details: `Deletes the session's list, its history, those of its sub-agents, its calls, kept answers, and what was read of
its transcripts. There is no way back: take a milepost backup first when in doubt. Backups and exports that were made
before still have it. Transcripts are the agent's own files: they are left alone, and read again as long as they are there.`,
  words: ["session"],
  input: z.object({
    session: z.string().describe("the id of the session"),
    yes: z.boolean().default(false).describe("do not ask"),
  }),
  async run({ open, confirm }, { session, yes }) {
    const refused = checkId("session", session);
    if (refused) return refused;
    if (!yes) {
      const isSure = await confirm(`Delete everything about session ${session}, for ever?`);
      if (isSure === undefined)
        return fail({ code: "needs-yes", message: "Nobody is there to ask. Add --yes to delete it." });
      if (!isSure) return fail({ code: "not-confirmed", message: "Nothing was deleted." });
    }
    const { store } = await open("read");
    const { streams, events, readings } = await store.forget(session);
    if (streams.length + readings === 0)
      return fail({ code: "unknown-session", message: `No session ${session} is in this store. Nothing was deleted.` });
    return ok({ session, streams: streams.length, events, readings });
  },
  show({ session, streams, events, readings }) {
    const read =
      readings === 0 ? "" : `, and what was read of ${readings === 1 ? "a transcript" : `${readings} transcripts`}`;
    return `Forgot session ${session}: ${events} events in ${streams} streams${read}.\n`;
  },
});
