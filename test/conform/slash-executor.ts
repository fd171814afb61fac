import { openMilepost } from "../../src/app/milepost.js";
import { runSlash } from "../../src/app/todo/slash-run.js";
import { phasesOf } from "../../src/dialects/oh-my-pi/pi-phases.js";
import { manualEditReminder } from "../../src/dialects/oh-my-pi/slash-texts.js";
import { sessionStream } from "../../src/store/stream.js";
import { putList } from "./case.js";
import { listOf } from "./oh-my-pi.js";
import type { SlashExecutor } from "./oh-my-pi-slash.js";

/** What `milepost todo --slash` does, under the name and in the words of the original. */
export const executeSlash: SlashExecutor = async ({ mode, args, initial, folder }) => {
  const { store } = await openMilepost({ store: "memory:" });
  const stream = sessionStream("default");
  await putList(store, listOf(initial));
  const run = await runSlash({
    store,
    stream,
    by: "person",
    folder,
    mode,
    name: "/todo",
    args,
    force: true,
    // A case has no editor, and its clipboard takes everything.
    copyText: async () => true,
  });
  if (!run.ok) throw new Error(run.error.message);
  const { said, list, action } = run.value;
  const phases = phasesOf(list);
  const isTold = action !== undefined && mode === "tui";
  return {
    said: [said],
    phases,
    noted: action === undefined ? [] : [phases],
    reminders: isTold ? [manualEditReminder(action, phases)] : [],
  };
};
