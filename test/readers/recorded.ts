import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import type { Observation, SeenPlan } from "../../src/core/session/observation.js";
import type { SessionView } from "../../src/core/session/session-facts.js";
import { todosOf } from "../../src/core/todo/list.js";
import type { Format } from "../../src/readers/reader.js";
import { type SavedTranscript, Transcript } from "../../src/readers/transcript.js";
import { scratchTables } from "../../src/store/sqlite/memory-tables.js";
import { hostileJson } from "../hostile-json.js";
import { sized } from "../sizes.js";

type Agent =
  | "claude-code"
  | "codex"
  | "copilot"
  | "gemini"
  | "hermes"
  | "oh-my-pi"
  | "openclaw"
  | "opencode"
  | "pi"
  | "qwen";

/** For the agent whose list is SQL. */
const openTables = await scratchTables();

const fixtures = fileURLToPath(new URL("../fixtures/transcripts", import.meta.url));

/** What a client wrote or printed; hooks and the status line write logs of their own beside it. */
export function transcriptsOf(agent: Agent): readonly string[] {
  return readdirSync(join(fixtures, agent)).filter((file) => /(?<!\.hooks|\.stdin)\.jsonl$/.test(file));
}

export function bytesOf(agent: Agent, file: string): Buffer {
  return readFileSync(join(fixtures, agent, file));
}

type Observed = (observations: readonly Observation[]) => void;

export function readInChunks(agent: Agent, file: string, size = 1_000_003, observed?: Observed): Transcript {
  const transcript = new Transcript({ file, observed, openTables });
  const bytes = bytesOf(agent, file);
  for (let at = 0; at < bytes.length; at += size) transcript.push(bytes.subarray(at, at + size));
  return transcript;
}

const MARKS = { pending: " ", in_progress: "~", completed: "x", cancelled: "-" };

/** What a person sees of a session; what is as in most files is left out. */
export function summary(view: SessionView) {
  const { title, phase, turns, calls, compactions, tokens, cost, plan, parent, version, model, list } = view;
  const place = `${view.folder}@${view.branch}`;
  const todos: readonly string[] = todosOf(list).map(({ text, status }) => `[${MARKS[status]}] ${text}`);
  const tasks: readonly string[] = view.tasks
    .filter(({ isDeleted }) => !isDeleted)
    .map((task) => `#${task.id} [${MARKS[task.status]}] ${task.subject}${task.blockedBy.map((id) => ` <#${id}`)}`);
  return {
    ...{
      title,
      phase,
      turns,
      calls: `${calls.total}/${calls.failed}`,
      tokens: tokens.total,
      place,
      version,
      model,
      todos,
    },
    ...(cost === null ? undefined : { cost: Number(cost.toFixed(6)) }),
    ...(tasks.length > 0 ? { tasks } : undefined),
    ...(list.explanation === undefined ? undefined : { explanation: list.explanation }),
    ...(compactions > 0 ? { compactions } : undefined),
    ...(plan ? { plan } : undefined),
    ...(view.plans.length > 1 ? { earlierPlans: view.plans.slice(0, -1).map(planLine) } : undefined),
    ...(parent === null ? undefined : { parent }),
  };
}

const planLine = ({ key, status, reason }: SeenPlan) => [key, status, reason].filter(Boolean).join(" ");

export type Summary = ReturnType<typeof summary>;

/** Every file of the agent, in chunks of odd sizes, tells what the table says. */
export function holdsGoldens(agent: Agent, golden: Readonly<Record<string, readonly Summary[]>>): void {
  test("every file is in the table", () => {
    const names = transcriptsOf(agent).map((file) => file.replace(/\.jsonl$/, ""));
    expect(names.sort()).toEqual(Object.keys(golden).sort());
  });

  test.each(Object.entries(golden))("%s", (name, expected) => {
    for (const size of [1, 7, 1021, 1_000_003]) {
      const transcript = readInChunks(agent, `${name}.jsonl`, size);
      const views = [...transcript.views.values()];
      expect(views.map(summary)).toEqual(expected);
      expect(transcript.problems.lines).toBe(0);
      expect(views.every((view) => view.agent === agent)).toBe(true);
    }
  });
}

const viewsOf = (transcript: Transcript) => JSON.parse(JSON.stringify([...transcript.views.values()]));
const keep = (saved: SavedTranscript | undefined): SavedTranscript | undefined =>
  saved && JSON.parse(JSON.stringify(saved));

/** What a person said is not kept: whoever goes on between a prompt and its echo has no title, and looks it up again. */
const titledAs = (cut: Transcript, whole: SessionView[]): SessionView[] =>
  whole.map((view) => {
    const { title = "", titleBy = "nobody" } = cut.views.get(view.id) ?? {};
    return titleBy === "nobody" && view.titleBy === "person" ? { ...view, title, titleBy } : view;
  });
const withoutTitles = (observations: readonly Observation[]) =>
  JSON.stringify(observations.filter((one) => one.type !== "title.given" || one.by !== "person"));

/** Cut at any bytes, kept as JSON, and gone on with by another reader. */
export function saysTheSameWhenCut(agent: Agent, files: readonly string[]): void {
  const cut = fc.record({
    file: fc.constantFrom(...files),
    places: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 }),
  });
  fc.assert(
    fc.property(cut, ({ file, places }) => {
      const bytes = bytesOf(agent, file);
      const ends = [...places.map((place) => Math.floor(place * bytes.length)).sort((a, b) => a - b), bytes.length];
      let told: Observation[] = [];
      const observed = (observations: readonly Observation[]) => told.push(...observations);
      let transcript = new Transcript({ file, openTables });
      for (const end of ends) {
        transcript = new Transcript({ file, saved: keep(transcript.save()), observed, openTables });
        transcript.push(bytes.subarray(transcript.end, end));
        // What it cannot know any more it says, and then the whole file is read.
        if (transcript.isLost) {
          told = [];
          transcript = new Transcript({ file, observed, openTables });
          transcript.push(bytes.subarray(0, end));
        }
      }
      const whole: Observation[] = [];
      const expected = readInChunks(agent, file, undefined, (observations) => whole.push(...observations));
      expect(viewsOf(transcript)).toEqual(titledAs(transcript, viewsOf(expected)));
      expect(JSON.parse(withoutTitles(told))).toEqual(JSON.parse(withoutTitles(whole)));
    }),
    { numRuns: sized(100, 1000) },
  );
}

/** Puts something else at one place in a record. */
function changed(value: unknown, path: readonly number[], other: unknown): unknown {
  const [first, ...rest] = path;
  if (typeof value !== "object" || value === null || first === undefined) return other;
  const keys = Object.keys(value);
  const key = keys[first % Math.max(1, keys.length)];
  const entries = Object.entries(value).map(([name, one]) => [name, name === key ? changed(one, rest, other) : one]);
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

interface Readers {
  readonly agent: Agent;
  readonly files: readonly string[];
  /** Beside those in the files: whole documents. */
  readonly records?: readonly JsonObject[];
  readonly formats: readonly Format[];
  /** The file's name, and a first record, so that somebody is there to be told of. */
  readonly name: string;
  readonly first: JsonObject;
}

const FIELDS = [
  "role",
  "content",
  "messages",
  "tool_calls",
  "type",
  "payload",
  "method",
  "params",
  "id",
  "item",
  "message",
  "uuid",
  "parentUuid",
  "sessionId",
  "parentId",
];

/** Records of real files with something else in them, and plain garbage. */
export function neverThrows({ agent, files, records: whole = [], formats, name, first }: Readers): void {
  const lines = files.flatMap((file) => bytesOf(agent, file).toString().trim().split("\n"));
  const records = [...lines.map((line) => JSON.parse(line) as JsonObject), ...whole];
  const mutation = fc.record({
    record: fc.constantFrom(...records),
    path: fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 5 }),
    other: fc.oneof(
      fc.jsonValue(),
      hostileJson,
      fc.constantFrom(null, -1, Number.POSITIVE_INFINITY, "", "\ud800", [], {}, "__proto__"),
    ),
  });
  const mutated = mutation.map(({ record, path, other }) => changed(record, path, other) as JsonObject);
  const garbage = fc.dictionary(fc.constantFrom(...FIELDS), fc.oneof(fc.jsonValue(), hostileJson));
  const many = fc.array(fc.oneof({ weight: 3, arbitrary: mutated }, garbage, fc.constantFrom(...records)), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.constantFrom(...formats), many, (format, more) => {
      const whole = format.open(name, { openTables });
      let piece = format.open(name, { openTables });
      for (const record of [first, ...more]) {
        const told = withoutTitles(whole.read(record));
        const retold = withoutTitles(piece.read(record));
        // One that has lost its place says so, and nobody listens to it any more.
        if (piece.isLost) return;
        expect(retold).toBe(told);
        piece = format.open(name, { openTables, saved: JSON.parse(JSON.stringify(piece.save())) });
      }
    }),
    { numRuns: sized(100, 1500) },
  );
}
