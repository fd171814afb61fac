import type { CommandContext } from "../app/command-definition.js";
import type { PersonalHost } from "../app/host.js";
import type { Notifier } from "../app/notices/notifier.js";
import { ENTER_VIEW, LEAVE_VIEW, titleCode } from "../app/terminal/screen-codes.js";
import type { PersonMarks } from "../app/watching/person-marks.js";
import type { Effect } from "./effect.js";
import { carryOut } from "./effects.js";
import { drawFrame } from "./frame/draw-frame.js";
import { handleKey } from "./handle-key.js";
import { type Key, KeyReader } from "./key-reader.js";
import { whereIs } from "./keymap.js";
import { TerminalScreen } from "./terminal-screen.js";
import { NOTHING_OPEN, type ViewState } from "./view-state.js";
import { currentSession, type Size, shownSessions, type World } from "./world.js";
import type { WorldSource } from "./world-source.js";

/** Ages go on while nothing happens. */
const TICK_MS = 1000;
/** How long a message stays, and how long a lone ESC may still become a sequence. */
const MESSAGE_MS = 6000;
const ESCAPE_MS = 40;
/** Two drawings are no closer than this; a key is drawn at once. */
const FRAME_MS = 33;
/** Sessions whose branches are looked at: those that may be on the screen. */
const MOST_BRANCHES = 60;

export interface ViewParts {
  readonly host: Pick<PersonalHost, "output" | "keyboard">;
  readonly context: CommandContext;
  readonly source: WorldSource;
  readonly marks: PersonMarks;
  readonly notifier: Notifier;
}

/** The view while it is open: keys and news come in, frames go out. */
export class LiveView {
  readonly #parts: ViewParts;
  readonly #screen: TerminalScreen;
  readonly #keys = new KeyReader();
  readonly #leave = new AbortController();
  #state: ViewState = NOTHING_OPEN;
  #printed: readonly string[] = [];
  #starts = new Map<string, number>();
  #drawnAt = 0;
  #drawing: NodeJS.Timeout | undefined;
  #title = "";
  /** Somebody else has the terminal: an editor, or the shell. */
  #isAway = false;
  caption: string | undefined;

  constructor(parts: ViewParts) {
    this.#parts = parts;
    this.#screen = new TerminalScreen((text) => parts.host.output.write(text));
  }

  /** Fires when the person leaves. */
  get left(): AbortSignal {
    return this.#leave.signal;
  }

  /** Until the person leaves or the signal fires. Answers with what is to be printed on the person's own screen. */
  async run(signal: AbortSignal): Promise<readonly string[]> {
    signal.addEventListener("abort", () => this.#leave.abort(), { once: true });
    await this.#enter();
    const tick = setInterval(() => this.#tick(), TICK_MS);
    try {
      const left = new Promise<void>((resolve) => this.left.addEventListener("abort", () => resolve(), { once: true }));
      if (!this.left.aborted) await left;
    } finally {
      clearInterval(tick);
      clearTimeout(this.#drawing);
      await this.#exit();
    }
    return this.#printed;
  }

  async #enter(): Promise<void> {
    const { output, keyboard } = this.#parts.host;
    keyboard.leaveWith(LEAVE_VIEW);
    keyboard.start(
      (bytes) => this.#hear(bytes),
      () => this.#resized(),
    );
    await output.write(ENTER_VIEW);
    this.#isAway = false;
    this.#title = "";
    this.#screen.forget();
    this.#draw();
  }

  async #exit(): Promise<void> {
    const { output, keyboard } = this.#parts.host;
    this.#isAway = true;
    keyboard.stop();
    await output.write(LEAVE_VIEW);
    keyboard.leaveWith("");
  }

  #resized(): void {
    this.#screen.forget();
    this.#draw();
  }

  #hear(bytes: string): void {
    this.#handle(this.#keys.read(bytes));
    if (this.#keys.isWaiting) setTimeout(() => this.#handle(this.#keys.flush()), ESCAPE_MS);
  }

  #handle(keys: readonly Key[]): void {
    for (const key of keys) {
      if (this.left.aborted) return;
      const step = handleKey(this.#state, key, this.#world(), this.#size);
      this.#moveTo(step.state);
      if (step.effect) void this.#carryOut(step.effect);
    }
    if (keys.length > 0) this.#draw();
  }

  /** What the person opens or leaves they have seen. */
  #moveTo(state: ViewState): void {
    const before = this.#state;
    this.#state = state;
    if (before.opened === state.opened) return;
    const world = this.#world();
    for (const opened of [before.opened, state.opened]) {
      const session = opened === undefined ? undefined : currentSession(world, { ...state, opened });
      if (session) this.#parts.marks.seen(session, Date.now());
    }
  }

  async #carryOut(effect: Effect): Promise<void> {
    const { context, source, marks, notifier } = this.#parts;
    if (effect.type === "leave") {
      this.#printed = effect.print;
      this.#leave.abort();
      return;
    }
    if (effect.type === "redraw") return this.#resized();
    if (effect.type === "suspend") return this.#lend(() => this.#parts.host.keyboard.suspend());
    const world = this.#world();
    const done = await carryOut(effect, {
      context,
      world,
      marks,
      notifier,
      lend: (work) => this.#lend(work),
    });
    const message = done.message && { ...done.message, at: Date.now() };
    this.#state = { ...this.#state, message, ...done.state };
    source.regroup();
    source.live.due();
    this.changed();
  }

  /** The terminal is another's until the work is done. */
  async #lend<T>(work: () => Promise<T>): Promise<T> {
    await this.#exit();
    try {
      return await work();
    } finally {
      if (!this.left.aborted) await this.#enter();
    }
  }

  #tick(): void {
    const { message } = this.#state;
    if (message && Date.now() - message.at > MESSAGE_MS) this.#state = { ...this.#state, message: undefined };
    // While something happens all the time, ages are drawn with it.
    if (Date.now() - this.#drawnAt >= TICK_MS / 2) this.#draw();
  }

  /** Something may look different: drawn soon, and not for each of many changes. */
  changed(): void {
    if (this.#drawing || this.left.aborted) return;
    const wait = Math.max(0, this.#drawnAt + FRAME_MS - Date.now());
    this.#drawing = setTimeout(() => this.#draw(), wait);
  }

  #world(): World {
    const { source, notifier } = this.#parts;
    return source.world(Date.now(), this.#state.opened, { caption: this.caption, hasNotices: notifier.isOn });
  }

  get #size(): Size {
    const { columns, rows = 24 } = this.#parts.host.output;
    return { columns, rows };
  }

  #draw(): void {
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    if (this.#isAway) return;
    this.#drawnAt = Date.now();
    const { host, source } = this.#parts;
    const [world, state, size] = [this.#world(), this.#state, this.#size];
    const place = `${whereIs(state)} ${state.opened ?? ""}`;
    const frame = drawFrame({ world, state, start: this.#starts.get(place) ?? 0 }, size, host.output);
    this.#starts.set(place, frame.start);
    this.#screen.show(frame.rows, size);
    this.#nameWindow(world);
    source.refresh(state, visibleSessions(world, state, frame.start));
  }

  /** The title of the window counts who waits: it can be read from another one. */
  #nameWindow({ totals }: World): void {
    const title = totals.waiting === 0 ? "milepost" : `(${totals.waiting}) milepost: ${totals.waiting} waiting for you`;
    if (title === this.#title) return;
    this.#title = title;
    void this.#parts.host.output.write(titleCode(title));
  }
}

function visibleSessions(world: World, state: ViewState, start: number) {
  if (state.tab !== "sessions") return [];
  const opened = state.opened === undefined ? undefined : currentSession(world, state);
  return opened ? [opened] : shownSessions(world, state.filter).slice(start, start + MOST_BRANCHES);
}
