import { resolve } from "node:path";
import { fail, ok } from "../../core/result.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { SAVE_REST } from "../../store/trouble.js";
import { acceptStoreLoss, examineStore } from "../../store/upkeep/examine.js";
import { defineCommand } from "../command-definition.js";
import { needed, text } from "../fields.js";
import { placeFile, temporaryBeside } from "../safe-files.js";
import { PROJECTIONS } from "../views.js";

export const backup = defineCommand({
  details: `FILE is a complete store: milepost events --store FILE reads it. The copy is checked before it is put in
place, and an existing file is never overwritten. Writes during the backup go on, and are not in the copy.
To restore: stop all agents, put FILE in the place of the store, delete the old -wal and -shm files beside it, and run
milepost doctor --accept-loss: it reports what is missing since the backup, and continues with the copy.`,
  examples: ["milepost backup milepost-backup.db"],
  words: ["file"],
  input: { file: needed(text("FILE", "file to create")) },
  async run({ open, progress }, { file }) {
    const { store } = await open("read");
    const temporary = temporaryBeside(file);
    try {
      progress("Copying");
      await store.backup(temporary.path);
      const examined = await examineStore(temporary.path, {
        projections: PROJECTIONS,
        isOwnFolder: false,
        rebuild: false,
        progress: (events) => progress(`Checked ${events} events`),
      });
      const damage = examined.findings.find(({ level }) => level === "damage");
      if (damage)
        return fail("store-damaged", `The store is damaged, so no copy was made: ${damage.message} ${SAVE_REST}`);
      const placed = placeFile(temporary.path, file, false);
      if (!placed.ok) return placed;
      // The head of an earlier file of that name is not this one's.
      await acceptStoreLoss(resolve(file));
      return ok({ file, events: examined.log?.events ?? 0 });
    } finally {
      temporary.remove();
    }
  },
  show: ({ file, events }) => `Copied ${events} events to ${terminalText(file)} and checked them.\n`,
});
