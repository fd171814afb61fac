import * as z from "zod";
import { checkId } from "../../core/id.js";
import { fail, ok } from "../../core/result.js";
import { defineCommand } from "../command.js";

export const forget = defineCommand({
  details: `Deletes the session's list, its history, those of its sub-agents, its calls and kept answers. There is no way back: take a
milepost backup first when in doubt. Backups and exports that were made before still have it.`,
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
    const { streams, events } = await store.forget(session);
    if (streams.length === 0)
      return fail({ code: "unknown-session", message: `No session ${session} is in this store. Nothing was deleted.` });
    return ok({ session, streams: streams.length, events });
  },
  show: ({ session, streams, events }) => `Forgot session ${session}: ${events} events in ${streams} streams.\n`,
});
