import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { DEFAULT_SETTINGS } from "../settings.js";
import { runShort, type ShortProgram, type ShortRun } from "../watching/short-program.js";
import { desktopPlace } from "./desktop-way.js";
import { createNotifier, type NotifierWorld } from "./notifier.js";
import { startOwnCommand } from "./own-command.js";
import type { Notice } from "./session-news.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-notices-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const notice = (session: string, fields: Partial<Notice> = {}): Notice => {
  return { kind: "waits", session, title: session, text: "Waits", ...fields };
};

interface Given extends Partial<NotifierWorld> {
  readonly answer?: ShortRun;
}

/** A notifier with a clock of its own; `bells` and `texts` are what it wrote, `started` what it ran. */
function given({ answer = { how: "ended", code: 0, said: "", isCut: false }, ...fields }: Given = {}) {
  const clock = { at: 1_000_000 };
  const written: string[] = [];
  const started: ShortProgram[] = [];
  const complaints: string[] = [];
  const notifier = createNotifier({
    settings: { bell: false, desktop: true, command: "" },
    environment: { TERM: "xterm-kitty" },
    userFolder: folder,
    write: (codes) => void written.push(codes),
    start: async (asked) => {
      started.push(asked);
      return answer;
    },
    now: () => clock.at,
    complain: (text) => void complaints.push(text),
    ...fields,
  });
  const later = (milliseconds: number, ...notices: Notice[]) => {
    clock.at += milliseconds;
    return notifier.tell(notices);
  };
  const texts = () => written.map((codes) => codes.split(";").at(-1)?.replace("\u0007", ""));
  return { notifier, later, written, texts, started, complaints };
}

describe("how often", () => {
  test("one in three seconds; the others are summed up, the most urgent first", async () => {
    const { later, texts } = given();
    await later(0, notice("a"));
    await later(1000, notice("b", { kind: "ended", text: "Ended" }), notice("c", { kind: "stuck", text: "Stuck" }));
    await later(1000, notice("d"));
    expect(texts()).toEqual(["Waits"]);
    await later(1000);
    expect(texts()).toEqual(["Waits", "Waits (and 2 more)"]);
    await later(60_000);
    expect(texts()).toHaveLength(2);
  });

  test("eight a minute", async () => {
    const { later, texts } = given();
    for (let at = 0; at < 19; at += 1) await later(3000, notice(`s${at}`));
    expect(texts()).toHaveLength(8);
    await later(6000);
    expect(texts().at(-1)).toBe("Waits (and 10 more)");
  });

  test("a session that flickers is told once; what it asks next is news", async () => {
    const { later, texts } = given();
    for (let at = 0; at < 4; at += 1) await later(4000, notice("a"));
    await later(4000, notice("a", { text: "Another" }));
    await later(20_000, notice("a"));
    expect(texts()).toEqual(["Waits", "Another", "Waits"]);
  });

  test("of one session only the last is told", async () => {
    const { later, texts } = given();
    await later(0, notice("x"));
    await later(1000, notice("a", { text: "Old" }));
    await later(3000, notice("a", { kind: "ended", text: "New" }));
    expect(texts()).toEqual(["Waits", "New"]);
  });

  test("off with a key: nothing is told, and nothing afterwards", async () => {
    const { notifier, later, written } = given();
    expect([notifier.isOn, notifier.toggle(), notifier.isOn]).toEqual([true, false, false]);
    await later(0, notice("a"));
    notifier.toggle();
    await later(5000);
    expect(written).toEqual([]);
  });
});

describe("ways", () => {
  const settings = (bell: boolean, desktop: boolean) => ({ bell, desktop, command: "" });
  const TMUX = { TMUX: "/tmp/tmux-1/default,1,0", TERM: "tmux-256color", TERM_PROGRAM: "tmux" };
  const says = (said: string): ShortRun => ({ how: "ended", code: 0, said, isCut: false });
  const kitty = "\u001b]777;notify;Milepost: a;Waits\u0007";
  const rows: { name: string; given: Given; then: string[] }[] = [
    { name: "bell", given: { settings: settings(true, false) }, then: ["\u0007"] },
    { name: "desktop", given: { settings: settings(false, true) }, then: [kitty] },
    { name: "both", given: { settings: settings(true, true) }, then: [`\u0007${kitty}`] },
    { name: "neither", given: { settings: settings(false, false) }, then: [] },
    {
      name: "the bell, where the terminal has no desktop notices",
      given: { settings: settings(false, true), environment: { TERM: "linux" } },
      then: ["\u0007"],
    },
    {
      name: "through tmux, where it lets codes pass",
      given: { environment: TMUX, answer: says("on iTerm2 3.5.0 xterm-256color\n") },
      then: ["\u001bPtmux;\u001b\u001b]9;Milepost: a: Waits\u0007\u001b\\"],
    },
    {
      name: "the same with tmux 3.3",
      given: { environment: TMUX, answer: says("1  xterm-256color\n") },
      then: [`\u001bPtmux;\u001b${kitty}\u001b\\`],
    },
    {
      name: "the bell, where tmux does not",
      given: { environment: TMUX, answer: says("off kitty(0.35) xterm-kitty\n") },
      then: ["\u0007"],
    },
    {
      name: "the bell, where tmux is too old to tell",
      given: { environment: TMUX, answer: says(" \n") },
      then: ["\u0007"],
    },
    { name: "the bell, where tmux hangs", given: { environment: TMUX, answer: { how: "late" } }, then: ["\u0007"] },
  ];
  test.each(rows)("$name", async ({ given: world, then }) => {
    const { later, written } = given(world);
    await later(0, notice("a"));
    expect(written).toEqual(then);
  });

  test.each([
    [{ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, "osc9"],
    [{ TERM: "xterm-256color", LC_TERMINAL: "iTerm2" }, "osc9"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }, "osc777"],
    [{ TERM: "xterm-ghostty" }, "osc777"],
    [{ TERM: "foot" }, "osc777"],
    [{ TERM: "rxvt-unicode-256color" }, "osc777"],
    [{ TERM: "xterm-256color", VTE_VERSION: "7200" }, "osc777"],
    [{ TERM: "xterm-256color" }, "osc777"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" }, undefined],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "vscode" }, undefined],
    [{ TERM: "screen.xterm-256color", STY: "1.pts" }, undefined],
    [{ TERM: "dumb" }, undefined],
    [{}, undefined],
  ])("%j takes %s", async (environment, way) => {
    expect((await desktopPlace(environment, async () => undefined))?.way).toBe(way);
  });

  test("by default: bell and desktop, no command", () => {
    expect(DEFAULT_SETTINGS.notify).toEqual({ bell: true, desktop: true, command: "" });
  });
});

describe("the person's own command", () => {
  const settings = { bell: true, desktop: false, command: "~/tell 'a b'" };
  const hostile = notice("s1", { title: "--help; $(touch x)", text: "`id` \"'\\" });

  test("gets words, title and text apart, and the same in variables", async () => {
    const { later, started } = given({ settings });
    await later(0, hostile);
    expect(started).toMatchObject([
      {
        program: join(folder, "tell"),
        words: ["a b", "Milepost: --help; $(touch x)", "`id` \"'\\"],
        environment: {
          MILEPOST_NOTICE_KIND: "waits",
          MILEPOST_NOTICE_SESSION: "s1",
          MILEPOST_NOTICE_TITLE: "--help; $(touch x)",
          MILEPOST_NOTICE_TEXT: "`id` \"'\\",
        },
        folder,
      },
    ]);
  });

  test("one that hangs holds nothing up, one that fails is told of once", async () => {
    const hanging = given({ settings, start: () => new Promise(() => {}) });
    await hanging.later(0, notice("a"));
    await hanging.later(5000, notice("b"));
    expect(hanging.written).toEqual(["\u0007", "\u0007"]);
    for (const answer of [
      { how: "late" },
      { how: "missing" },
      { how: "ended", code: 3, said: "", isCut: false },
    ] as const) {
      const { later, complaints } = given({ settings, answer });
      await later(0, notice("a"));
      await later(5000, notice("b"));
      await vi.waitFor(() => expect(complaints).toHaveLength(1));
      expect(complaints[0]).toContain("~/tell");
    }
  });

  test("for real: no shell has a look at the texts", async () => {
    const script = join(folder, "tell");
    writeFileSync(script, '#!/bin/sh\nprintf "%s\\n" "$@" "$MILEPOST_NOTICE_KIND" > said\n', { mode: 0o755 });
    const command = {
      line: "~/tell 'a b'",
      environment: { PATH: "/usr/bin:/bin" },
      userFolder: folder,
      start: runShort,
    };
    expect(await startOwnCommand(command, hostile)).toBeUndefined();
    expect(readFileSync(join(folder, "said"), "utf8")).toBe("a b\nMilepost: --help; $(touch x)\n`id` \"'\\\nwaits\n");
    expect(await startOwnCommand({ ...command, line: "no-such-program-here" }, hostile)).toContain("cannot be started");
  });
});
