import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { answerHook } from "../src/app/hooks/answer-hook.js";
import { readHookInput } from "../src/app/hooks/hook-input.js";
import { DEFAULT_SETTINGS } from "../src/app/settings.js";
import { restore } from "../src/app/transcripts/restore-sessions.js";
import { LISTS, PROJECTIONS } from "../src/app/views.js";
import { digestOf } from "../src/core/session/digest-text.js";
import { isOpen, type TodoList, todosOf } from "../src/core/todo/list.js";
import { openLog } from "../src/store/open.js";
import { type Random, randomFrom } from "./random.js";
import { ClaudeClient, type Client, CodexClient, type Item } from "./recovery/session-script.js";
import { SEED, sized } from "./sizes.js";

// Sessions are cut at random turns: the digest from the store and the list from the transcript both hold exactly the
// unfinished todos, at every cut.

const folder = mkdtempSync(join(tmpdir(), "milepost-recovery-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const UUID = "0199ab12-5790-73b1-91f9-0000000000";
const TURNS = 60;
const SESSIONS = sized(2, 4);
const CUTS_EACH = 25;

const WORDS = ["Read", "Fix", "Prüfe", "Run", "the tests", "the build", "ビルド", "🚀 launch", "docs", "a parser"];

/** At most one in progress in half of them: Claude Code allows more. */
function randomList(random: Random, list: number, isSingle: boolean): readonly Item[] {
  const size = random.below(12);
  const isAllDone = random.chance(0.1);
  let busy = 0;
  return Array.from({ length: size }, (_, at): Item => {
    // The same text may be there twice.
    const text = random.chance(0.05) ? "Again" : `${random.pick(WORDS)} ${random.pick(WORDS)} ${list}.${at}`;
    const drawn = isAllDone ? "completed" : random.pick(["pending", "pending", "in_progress", "completed"] as const);
    if (drawn === "in_progress") busy += 1;
    return { text, status: drawn === "in_progress" && isSingle && busy > 1 ? "pending" : drawn };
  });
}

/** Some are moved on, as agents do it most of the time. */
function movedOn(random: Random, items: readonly Item[]): readonly Item[] {
  const current = items.findIndex(({ status }) => status !== "completed");
  const isNext = random.chance(0.5);
  return items.map((item, at): Item => {
    if (at === current) return { ...item, status: isNext ? "completed" : "in_progress" };
    if (at === current + 1 && isNext && item.status !== "completed") return { ...item, status: "in_progress" };
    return item;
  });
}

/** What a model has to know: the current ones first. */
function openTexts(items: readonly Item[]): readonly string[] {
  const open = items.filter(({ status }) => status !== "completed");
  const isBusy = ({ status }: Item) => status === "in_progress";
  return [
    ...open.filter(isBusy).map(({ text }) => `[in progress] ${text}`),
    ...open.filter((item) => !isBusy(item)).map(({ text }) => text),
  ];
}

/** What the facts are against is told in a line of its own. */
const DOUBTS = /^#\d.* called completed, but /;

const withoutDoubts = (text: string) =>
  text
    .split("\n")
    .filter((line) => !DOUBTS.test(line))
    .join("\n");

const digestLines = (text: string) =>
  withoutDoubts(text)
    .split("\n")
    .slice(1)
    .map((line) => line.replace(/^#\d+ /, ""));
const withoutNumbers = (text: string | undefined) => text?.replace(/^#\d+ /gm, "") ?? "";
const openIn = (list: TodoList) =>
  todosOf(list)
    .filter(isOpen)
    .map(({ text, status }) => `${status} ${text}`);

const openOf = (items: readonly Item[]) =>
  items.filter(({ status }) => status !== "completed").map(({ text, status }) => `${status} ${text}`);

/** A session on a store, and the list as its model knows it. */
async function openSession(agent: "claude" | "codex", seed: number) {
  const session = agent === "claude" ? `s${seed}` : `${UUID}${`${seed}`.padStart(2, "0")}`;
  const name = agent === "claude" ? `${session}.jsonl` : `rollout-2026-01-02T03-04-05-${session}.jsonl`;
  const path = join(folder, name);
  const store = await openLog("memory:", { projections: PROJECTIONS });
  const hook = async (event: string, fields: object = {}): Promise<string> => {
    const text = JSON.stringify({ session_id: session, hook_event_name: event, cwd: "/work", ...fields });
    const input = readHookInput(text, "m:7");
    if (!input.ok) throw new Error(input.error);
    const answer = await answerHook(store, input.value, DEFAULT_SETTINGS);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.value;
  };
  await hook("SessionStart", { source: "startup", ...(agent === "codex" ? { transcript_path: path } : {}) });
  const client: Client = new (agent === "claude" ? ClaudeClient : CodexClient)({ path, session, hook });
  return { client, path, stored: () => store.view(LISTS, `session:${session}`) };
}

async function restoredList(path: string): Promise<TodoList> {
  const restored = await restore([path], undefined);
  if (!restored.ok || restored.value.sessions.length !== 1) throw new Error(`${path} is not one session`);
  return restored.value.sessions[0]?.view.list as TodoList;
}

const HEADING = "Milepost: the open todos of this session (kept over the compaction).";

describe.each(["claude", "codex"] as const)("%s", (agent) => {
  let cuts = 0;
  let unfinished = 0;

  test.each(Array.from({ length: SESSIONS }, (_, at) => at + 1))(
    `session %i is cut at ${CUTS_EACH} random turns`,
    async (seed) => {
      const random = randomFrom(SEED + seed * 7919 + (agent === "codex" ? 1 : 0));
      const { client, path, stored } = await openSession(agent, seed);
      const cutAt = new Set<number>();
      while (cutAt.size < CUTS_EACH) cutAt.add(random.below(TURNS));
      let items: readonly Item[] = [];
      const write = async (next: readonly Item[]) => {
        await client.write(next, false);
        items = next;
      };
      /** The list as each turn found it. */
      const history: (readonly Item[])[] = [];
      const prompt = async (words: string) => {
        history.push(items);
        await client.prompt(words);
      };
      const anyList = () => randomList(random, random.below(1000), agent === "codex" || random.chance(0.5));
      for (let turn = 0; turn < TURNS; turn += 1) {
        const isBack = turn > 4 && random.chance(0.15);
        if (isBack) {
          const turns = random.below(4) + 1;
          await client.rewind(turns);
          items = history.splice(-turns)[0] ?? [];
        }
        await prompt(`Turn ${turn}: go on.`);
        if (isBack) {
          expect(openIn(await restoredList(path))).toEqual(openOf(items));
          // Hooks do not tell that somebody went back: the store knows what the model writes next.
          await write(anyList());
        }
        for (let step = random.below(4); step > 0; step -= 1) {
          const what = random.below(10);
          if (what < 2) await write(anyList());
          else if (what < 5) await write(movedOn(random, items));
          else if (what < 7) await client.write(anyList(), true);
          else await client.work(random.chance(0.3));
        }
        if (random.chance(0.8)) await client.endTurn();
        if (random.chance(0.1)) await client.resume();
        if (!cutAt.has(turn)) continue;

        const before = await restoredList(path);
        const said = await client.compact();
        const expected = openTexts(items);
        // From the store, in the words that the model reads.
        expect(said === "" ? [] : digestLines(said)).toEqual(expected);
        // From the transcript: up to the cut, and after it, where the client itself has lost the list.
        const after = await restoredList(path);
        expect(openIn(before)).toEqual(openIn(await stored()));
        expect(openIn(after)).toEqual(openIn(await stored()));
        expect(withoutNumbers(digestOf(after, HEADING)?.text)).toBe(withoutNumbers(withoutDoubts(said)));
        await prompt("After the cut.");
        await client.work(false);
        expect(openIn(await restoredList(path))).toEqual(openIn(after));
        cuts += 1;
        if (expected.length > 0) unfinished += 1;
      }
    },
  );

  test("all cuts were made, and most of them in the middle of something", () => {
    expect(cuts).toBe(SESSIONS * CUTS_EACH);
    expect(unfinished).toBeGreaterThan(cuts * 0.6);
  });
});
