import type { NoticeSettings } from "../settings.js";
import type { Environment } from "../store-place.js";
import { bellCode, desktopCodes } from "../terminal/screen-codes.js";
import { type RunShort, runShort } from "../watching/short-program.js";
import { type AskTmux, desktopPlace } from "./desktop-way.js";
import { startOwnCommand } from "./own-command.js";
import type { Notice } from "./session-news.js";

export interface NotifierWorld {
  /** `readSettings(environment).notify`, without a folder: no project has a say in what is started. */
  readonly settings: NoticeSettings;
  readonly environment: Environment;
  /** The person's own folder, where their command is started. */
  readonly userFolder: string;
  readonly write: (codes: string) => Promise<void> | void;
  readonly start?: RunShort;
  readonly now: () => number;
  /** Told once: the person's command does not work. */
  readonly complain?: (text: string) => void;
}

export interface Notifier {
  readonly isOn: boolean;
  /** Returns whether it is on now. What nobody was told yet is forgotten. */
  toggle(): boolean;
  /** To be called with each look, also with no news: what had to wait is told then. */
  tell(notices: readonly Notice[]): Promise<void>;
}

/** Milliseconds between two notices, and how many there may be in a minute. */
const GAP = 3000;
const MINUTE = 60_000;
const MOST_A_MINUTE = 8;
/** The same words about the same session within this time are one piece of news: states flicker. */
const SAME_NEWS = 15_000;
const MOST_WAITING = 200;

const URGENCY: readonly Notice["kind"][] = ["waits", "stuck", "ended"];

export function createNotifier(world: NotifierWorld): Notifier {
  const { now } = world;
  const say = speaker(world);
  const isRepeated = repeats(now);
  let isOn = true;
  let waiting: readonly Notice[] = [];
  let told: readonly number[] = [];
  const mayTell = () => {
    const at = now();
    told = told.filter((time) => time <= at && at - time < MINUTE);
    return told.length < MOST_A_MINUTE && at - (told.at(-1) ?? Number.NEGATIVE_INFINITY) >= GAP;
  };
  return {
    get isOn() {
      return isOn;
    },
    toggle() {
      isOn = !isOn;
      waiting = [];
      return isOn;
    },
    async tell(notices) {
      const fresh = notices.filter((notice) => !isRepeated(notice));
      if (!isOn) return;
      waiting = newestOf([...waiting, ...fresh]);
      if (waiting.length === 0 || !mayTell()) return;
      const one = summed(waiting);
      waiting = [];
      told = [...told, now()];
      await say(one);
    },
  };
}

/** A session's later news takes the place of what nobody was told yet. */
function newestOf(notices: readonly Notice[]): readonly Notice[] {
  return [...new Map(notices.map((notice) => [notice.session, notice])).values()].slice(-MOST_WAITING);
}

/** The most urgent one, which stands for all. */
function summed(notices: readonly Notice[]): Notice {
  const [first, ...others] = notices.toSorted((a, b) => URGENCY.indexOf(a.kind) - URGENCY.indexOf(b.kind));
  if (!first) throw new Error("There is nothing to sum up");
  return others.length === 0 ? first : { ...first, text: `${first.text} (and ${others.length} more)` };
}

/** Remembers what was said of each session; asking is saying. */
function repeats(now: () => number): (notice: Notice) => boolean {
  const known = new Map<string, number>();
  return ({ kind, session, text }) => {
    const at = now();
    for (const [mark, time] of known) if (at - time >= SAME_NEWS || time > at) known.delete(mark);
    const mark = JSON.stringify([session, kind, text]);
    const isKnown = known.has(mark);
    known.set(mark, at);
    return isKnown;
  };
}

/** One notice, in every way that the person has chosen. */
function speaker(world: NotifierWorld): (notice: Notice) => Promise<void> {
  const { settings, environment, write, start = runShort, userFolder, complain = () => {} } = world;
  const askTmux = tmuxAsker(start, environment, userFolder);
  let hasComplained = false;
  const runOwn = async (notice: Notice) => {
    const trouble = await startOwnCommand({ line: settings.command, environment, userFolder, start }, notice);
    if (trouble === undefined || hasComplained) return;
    hasComplained = true;
    complain(trouble);
  };
  return async (notice) => {
    // Not waited for: it may hang.
    if (settings.command !== "") void runOwn(notice).catch(() => {});
    const place = settings.desktop ? await desktopPlace(environment, askTmux) : undefined;
    const desktop = place ? desktopCodes(notice.title, notice.text, place) : "";
    // Where a desktop notice is not possible, the bell is what is left of it.
    const isBell = settings.bell || (settings.desktop && !place);
    if (isBell || desktop !== "") await write(`${isBell ? bellCode() : ""}${desktop}`);
  };
}

function tmuxAsker(start: RunShort, environment: Environment, folder: string): AskTmux {
  return async (words) => {
    const run = await start({ program: "tmux", words, environment, folder, limitMs: 500, mostBytes: 1000 });
    return run.how === "ended" && run.code === 0 ? run.said : undefined;
  };
}
