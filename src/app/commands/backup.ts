import { resolve } from "node:path";
import { fail, ok, type Result } from "../../core/result.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { SAVE_REST } from "../../store/trouble.js";
import { acceptStoreLoss, examineStore } from "../../store/upkeep/examine.js";
import { type CommandContext, defineCommand } from "../command-definition.js";
import { needed, text, toggle } from "../fields.js";
import { type PutBack, putBack } from "../put-back.js";
import { placeFile, temporaryBeside } from "../safe-files.js";
import { nextStep, shellWord } from "../terminal/next-step.js";
import { PROJECTIONS } from "../views.js";

export const backup = defineCommand({
  details: `FILE is a complete store: milepost events --store FILE reads it. The copy is checked before it is put in
place, and an existing file is never overwritten. Writes during the backup go on, and are not in the copy; nor
are settings (milepost config).

With --restore the other way round: FILE is checked and copied to the place of the store, and the store as it was is
kept beside it under another name, which is printed. Restart agents that are running afterwards.`,
  examples: ["milepost backup milepost-backup.db", "milepost backup milepost-backup.db --restore --yes"],
  words: ["file"],
  input: {
    file: needed(text("FILE", "file to create; with --restore: the backup")),
    restore: toggle("put FILE in the place of the store, which is kept under another name"),
    yes: toggle("with --restore: do not ask for confirmation"),
  },
  run: (context, { file, restore, yes }): Promise<Result<Copied | PutBack>> =>
    restore ? putBack(context, file, yes) : copyStore(context, file),
  show(value, _, given) {
    if (!("kept" in value)) {
      const restore = nextStep(`backup ${shellWord(value.file)} --restore`, given, ["store"]);
      return `Copied ${value.events} events to ${terminalText(value.file)} and checked them. To restore: ${restore}\n`;
    }
    const { events, file, kept } = value;
    const said = `Restored ${events} events from ${terminalText(file)}.`;
    if (kept === null) return `${said}\n`;
    const back = nextStep(`backup ${shellWord(kept)} --restore`, given, ["store"]);
    const before = `The store as it was: ${terminalText(kept)}. To take it back: ${back}`;
    return `${said} Restart agents that are running.\n${before}\n`;
  },
});

interface Copied {
  readonly file: string;
  readonly events: number;
}

async function copyStore({ open, progress, folder }: CommandContext, file: string): Promise<Result<Copied>> {
  const { store } = await open("read");
  const path = resolve(folder, file);
  const temporary = temporaryBeside(path);
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
    const placed = placeFile(temporary.path, path, false);
    if (!placed.ok) return placed;
    // The head of an earlier file of that name is not this one's.
    await acceptStoreLoss(path);
    return ok({ file, events: examined.log?.events ?? 0 });
  } finally {
    temporary.remove();
  }
}
