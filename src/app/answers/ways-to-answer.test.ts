import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { SCREENS } from "../../../test/client-screens.js";
import { type AskedSession, waysToAnswer } from "./ways-to-answer.js";

// With a program called tmux that shows what a file says, and a /proc with one process. The real ones:
// test/real-clients/answers.test.ts.

const folder = mkdtempSync(join(tmpdir(), "milepost-answers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROMPT = "› Ask Codex to do anything\n";
const TMUX = `#!/bin/sh
cd "$(dirname "$0")" || exit 1
case $1 in
  list-panes) cat panes ;;
  capture-pane) cat screen ;;
  send-keys) echo "$*" >> sent; test ! -f next || mv next screen ;;
esac
`;

interface Machine {
  /** Rows of `tmux list-panes`; undefined: there is no tmux. */
  readonly panes?: string | undefined;
  readonly screen?: string;
  /** What is there after the key. */
  readonly next?: string;
  /** The terminal of process 42, as Linux numbers it. */
  readonly terminal?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

const PANE = "%3 /dev/pts/7 0 0 0 1.0 work";
/** /dev/pts/7. */
const TERMINAL = (136 << 8) + 7;

let machines = 0;
function machine({ panes, screen = "", next, terminal = TERMINAL, environment }: Machine) {
  const home = join(folder, `${++machines}`);
  const [bin, proc] = [join(home, "bin"), join(home, "proc")];
  for (const name of [bin, join(proc, "self"), join(proc, "42")]) mkdirSync(name, { recursive: true });
  writeFileSync(join(proc, "42/stat"), `42 (codex) S 1 1 1 ${terminal} ${"0 ".repeat(14)}500 9\n`);
  if (panes !== undefined) {
    for (const [name, text] of Object.entries({ panes, screen, tmux: TMUX, ...(next && { next }) }))
      writeFileSync(join(bin, name), text);
    chmodSync(join(bin, "tmux"), 0o755);
  }
  const sent = () => (existsSync(join(bin, "sent")) ? readFileSync(join(bin, "sent"), "utf8") : "");
  const shell = panes === undefined ? bin : `${bin}:/usr/bin:/bin`;
  const place = { environment: { PATH: shell, ...environment }, userFolder: home, proc, patience: 300 };
  return { sent, bin, way: (session: AskedSession = CODEX) => waysToAnswer(session, place) };
}

const CODEX: AskedSession = {
  agent: "codex",
  process: `${hostname()}:42+500`,
  folder: "/home/me/it's",
  resume: "codex resume 01a1",
  waitingFor: { kind: "permission", text: "Bash: touch made" },
};
const asking = (text: string | null, choices?: readonly string[]): AskedSession => {
  return { ...CODEX, waitingFor: { kind: "question", text, choices } };
};
const keys = async (one: ReturnType<typeof machine>, session?: AskedSession) => {
  const way = await one.way(session);
  if (way.type !== "keys") throw new Error(way.text);
  return way;
};

/** As a view does it that shows the choices. */
const press = (way: Awaited<ReturnType<typeof keys>>, choice: number) => way.answer(choice, way.choices[choice - 1]);

describe("by keys", () => {
  test("the key goes to the client's pane, and the dialog is gone", async () => {
    const one = machine({ panes: `%1 /dev/pts/1 0 0 0 0.0 a\n${PANE}`, screen: SCREENS.codexPermission, next: PROMPT });
    const way = await keys(one);
    expect(way.choices).toEqual(["Yes, proceed (y)", "No, and tell Codex what to do differently (esc)"]);
    expect(await press(way, 2)).toEqual({ ok: true, value: { choice: 2, label: way.choices[1] } });
    expect(one.sent()).toBe("send-keys -t %3 -l 2\n");
    expect(await press(way, 2)).toMatchObject({ error: { code: "not-on-screen" } });
    expect(one.sent()).toBe("send-keys -t %3 -l 2\n");
  });

  test("the client's own choices are left out: they need more than a key", async () => {
    const way = await keys(machine({ panes: PANE, screen: SCREENS.codexQuestion }), asking("Drop the column?"));
    expect(way.choices).toEqual(["Now", "Later, with care", "Never"]);
  });

  test.each([0, 3, 10, 1.5, -1, Number.NaN])("there is no choice %d", async (choice) => {
    const one = machine({ panes: PANE, screen: SCREENS.codexPermission });
    expect(await press(await keys(one), choice)).toMatchObject({ error: { code: "no-choice" } });
    expect(one.sent()).toBe("");
  });

  test("another dialog has come since: no key", async () => {
    const one = machine({ panes: PANE, screen: SCREENS.codexPermission });
    const way = await keys(one);
    writeFileSync(join(one.bin, "screen"), SCREENS.codexPermission.replaceAll("touch made", "rm -r x"));
    expect(await press(way, 1)).toMatchObject({ error: { code: "not-on-screen" } });
    expect(one.sent()).toBe("");
  });

  test("the same question with other choices has come since: no key", async () => {
    const one = machine({ panes: PANE, screen: SCREENS.codexPermission });
    const way = await keys(one);
    writeFileSync(join(one.bin, "screen"), SCREENS.codexPermission.replace("2. No,", "2. Yes, always\n  3. No,"));
    expect(await press(way, 2)).toMatchObject({ error: { code: "not-on-screen" } });
    expect(one.sent()).toBe("");
  });

  test("a report that tells no labels leaves them to the screen", async () => {
    const asked = { kind: "permission", text: "Bash: touch made", choices: [] } as const;
    const way = await keys(machine({ panes: PANE, screen: SCREENS.codexPermission }), { ...CODEX, waitingFor: asked });
    expect(way.choices).toHaveLength(2);
  });

  test("a person who has not read the choices of a permission sends no key, and is told them", async () => {
    const one = machine({ panes: PANE, screen: SCREENS.codexPermission });
    const way = await keys(one);
    const told = {
      code: "choices-unseen",
      message: expect.stringContaining("are: 1 Yes, proceed (y), 2 No, and tell"),
    };
    expect(await way.answer(1)).toEqual({ ok: false, error: told });
    expect(await way.answer(2, "Yes, proceed (y)")).toEqual({ ok: false, error: told });
    expect(one.sent()).toBe("");
  });

  test("the labels of a question are in its report", async () => {
    const labels = ["Now", "Later, with care", "Never"];
    const one = machine({ panes: PANE, screen: SCREENS.codexQuestion, next: PROMPT });
    const way = await keys(one, asking("Drop the column?", labels));
    expect(await way.answer(2)).toEqual({ ok: true, value: { choice: 2, label: labels[1] } });
  });

  test("a client that does not take it is told apart", async () => {
    const way = await keys(machine({ panes: PANE, screen: SCREENS.codexPermission }));
    expect(await press(way, 1)).toMatchObject({ error: { code: "not-taken" } });
  });
});

describe("how to get there", () => {
  const ATTACH = "It waits in a pane of tmux: tmux attach -t work:1.0";
  const RESUME = "cd '/home/me/it'\\''s' && codex resume 01a1";
  const LOST = `It waits in the terminal /dev/pts/7, process 42. If that terminal is lost: ${RESUME}`;
  const screen = SCREENS.codexPermission;
  const rows: { name: string; on: Machine; session?: AskedSession; how: string }[] = [
    { name: "no dialog", on: { panes: PANE, screen: PROMPT }, how: ATTACH },
    {
      name: "from within tmux",
      on: { panes: PANE, environment: { TMUX: "/tmp/tmux-0/default,1,0" } },
      how: "It waits in a pane of tmux: tmux switch-client -t %3",
    },
    { name: "a pane that is scrolled", on: { panes: PANE.replace("0 0 0", "1 0 0"), screen }, how: ATTACH },
    { name: "panes that are typed into together", on: { panes: PANE.replace("0 0 0", "0 1 0"), screen }, how: ATTACH },
    {
      name: "another command",
      on: { panes: PANE, screen },
      session: { ...CODEX, waitingFor: { kind: "permission", text: "Bash: touch" } },
      how: ATTACH,
    },
    {
      name: "another tool",
      on: { panes: PANE, screen },
      session: { ...CODEX, waitingFor: { kind: "permission", text: "Edit: touch made" } },
      how: ATTACH,
    },
    { name: "a text that was cut", on: { panes: PANE, screen }, session: asking("x".repeat(300)), how: ATTACH },
    { name: "no text", on: { panes: PANE, screen }, session: asking(null), how: ATTACH },
    {
      name: "other labels",
      on: { panes: PANE, screen: SCREENS.codexQuestion },
      session: asking("Drop the column?", ["Now", "Never", "Later"]),
      how: ATTACH,
    },
    { name: "nothing asked", on: { panes: PANE, screen }, session: { ...CODEX, waitingFor: null }, how: ATTACH },
    { name: "an untried client", on: { panes: PANE, screen }, session: { ...CODEX, agent: "oh-my-pi" }, how: ATTACH },
    {
      name: "in an agent's shell",
      on: { panes: PANE, screen, environment: { CLAUDECODE: "1" } },
      how: `This is the shell of Claude Code: agents answer nothing. ${ATTACH}`,
    },
    { name: "no tmux", on: {}, how: LOST },
    { name: "another pane", on: { panes: PANE.replace("pts/7", "pts/77") }, how: LOST },
    { name: "an id that is none", on: { panes: PANE.replace("%3", "%3;kill-server") }, how: LOST },
    {
      name: "a name that a shell would obey",
      on: { panes: PANE.replace("work", "a b'$(x)\u001b[2J") },
      how: "It waits in a pane of tmux: tmux attach -t 'a b'\\''$(x)␛[2J:1.0'",
    },
    {
      name: "a name that tmux would obey",
      on: { panes: PANE.replace("work", "-t") },
      how: "It waits in a pane of tmux: tmux attach -t '=-t:1.0'",
    },
    { name: "no terminal", on: { terminal: 0 }, how: `It waits in process 42. If that terminal is lost: ${RESUME}` },
    {
      name: "a process that has ended",
      on: {},
      session: { ...CODEX, process: `${hostname()}:43+500` },
      how: `To go on with it: ${RESUME}`,
    },
    {
      name: "another process with its number",
      on: { panes: PANE, screen },
      session: { ...CODEX, process: `${hostname()}:42+501` },
      how: `To go on with it: ${RESUME}`,
    },
    {
      name: "another machine",
      on: { panes: PANE, screen },
      session: { ...CODEX, process: "elsewhere:42+500" },
      how: `To go on with it: ${RESUME}`,
    },
    {
      name: "nothing known",
      on: {},
      session: { ...CODEX, process: "", resume: null },
      how: "Nobody told in which terminal it runs.",
    },
  ];
  test.each(rows)("$name", async ({ on, session, how }) => {
    const one = machine(on);
    expect(await one.way(session)).toEqual({ type: "how", text: how });
    expect(one.sent()).toBe("");
  });
});
