import { openSession } from "../app/command-context.js";
import type { CommandContext } from "../app/command-definition.js";
import { readFields } from "../app/field-reader.js";
import { COMMON_FLAGS } from "../app/fields.js";
import type { PersonalHost } from "../app/host.js";
import type { Milepost } from "../app/milepost.js";
import { createNotifier } from "../app/notices/notifier.js";
import { newsOf } from "../app/notices/session-news.js";
import { readSettings } from "../app/settings.js";
import { homeFolder } from "../app/store-place.js";
import { type OpenBoard, openBoard } from "../app/transcripts/open-session-board.js";
import { MOST_SESSIONS } from "../app/watching/live-board.js";
import { openMarks } from "../app/watching/person-marks.js";
import { LiveView } from "./live-view.js";
import { WorldSource } from "./world-source.js";

// The live view as a surface: what the person's words ask for, the world that is shown, and the end of it all.

/**
 * Opens the live view and returns the exit code. Undefined: the line asks for something else, or is wrong, and the
 * command line answers it.
 */
export async function runTui(host: PersonalHost): Promise<number | undefined> {
  const [name = "watch", ...words] = host.arguments;
  const read = readFields(words, COMMON_FLAGS, []);
  if (read.type !== "values" || read.values.json === true) return undefined;
  const asked = typeof read.values.store === "string" ? read.values.store : undefined;
  if (name === "demo") return (await import("./demo-in-view.js")).runDemo(host);
  const session = openSession(host, asked, [name, ...words]);
  try {
    const milepost = await session.context.open("read");
    const board = await openBoard(session.context, { most: MOST_SESSIONS });
    await showView(host, session.context, { board, milepost });
    await board.keep();
  } finally {
    await session.close();
  }
  return 0;
}

export interface ShownWorld {
  readonly board: OpenBoard;
  readonly milepost: Milepost;
  /** What goes on while the view is open; it may set the caption. */
  readonly beside?: (view: LiveView) => Promise<void>;
  /** False: what the person sees and pins there is forgotten with it. */
  readonly isKept?: boolean;
}

/** Opens the view on a world and resolves when the person has left it. */
export async function showView(host: PersonalHost, context: CommandContext, world: ShownWorld): Promise<void> {
  const { board, milepost, beside, isKept = true } = world;
  const { environment, program } = context;
  const complaints: string[] = [];
  const complain = (text: string) => complaints.push(text);
  const marks = openMarks(homeFolder(environment), { complain, isKept });
  const notifier = createNotifier({
    settings: readSettings(environment).notify,
    environment,
    userFolder: program.userFolder,
    write: (codes) => host.output.write(codes),
    now: Date.now,
    complain,
  });
  const source = new WorldSource({
    context,
    board,
    milepost,
    marks,
    changed: () => view.changed(),
    looked: (live) => {
      void notifier.tell(newsOf(live.before, live.reports, Date.now()));
      void marks.save();
    },
  });
  const view: LiveView = new LiveView({ host, context, source, marks, notifier });
  const shown = view.run(context.interrupted());
  const [printed] = await Promise.all([shown, source.live.run(view.left), beside?.(view)]);
  await marks.save();
  if (printed.length > 0) await host.output.write(`${printed.join("\n")}\n`);
  for (const complaint of complaints) await host.writeError(`${complaint}\n`);
}
