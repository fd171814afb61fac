import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attacksOn, evaluate } from "../attack-entries.js";
import { clean, command } from "../hook-process.js";
import { answers, calls, says, user, wrote } from "../readers/claude-lines.js";
import {
  codexAnswers,
  codexCalls,
  codexEnds,
  codexStarts,
  codexWrote,
  writeClaude,
  writeCodex,
} from "./told-transcripts.js";
import { ago, playSessions, type Telling, type WiredSession } from "./wired-sessions.js";

// The machines that the live view is tried on: a home folder with a store, agents' transcripts and projects. All ages
// count from the moment at which a world is made.

export interface ViewWorld {
  readonly home: string;
  /** Where the person is. */
  readonly folder: string;
  readonly store: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Stable, so that a screen that shows the beginning of one stays the same. */
export const IDS = {
  shop: "5409a1b2-0000-4000-8000-000000000001",
  api: "0199ab13-0000-7000-8000-000000000002",
  web: "acc5a7d2-0000-4000-8000-000000000003",
  cli: "0199ab14-0000-7000-8000-000000000004",
  docs: "d0c50000-0000-4000-8000-000000000005",
  ops: "09500000-0000-4000-8000-000000000006",
  tokyo: "70c00000-0000-4000-8000-000000000007",
  long: "10460000-0000-4000-8000-000000000008",
  infra: "0199ab15-0000-7000-8000-000000000009",
  past: "9a570000-0000-4000-8000-00000000000a",
} as const;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const before = (milliseconds: number) => Date.now() - milliseconds;

export function emptyWorld(root: string): ViewWorld {
  const home = join(root, "home");
  const folder = projectIn(home, "web", "fix/login");
  const state = join(root, "state");
  const environment = clean({ HOME: home, MILEPOST_HOME: state, XDG_CONFIG_HOME: join(root, "none"), TZ: "UTC" });
  return { home, folder, store: join(state, "milepost.db"), environment };
}

function projectIn(home: string, name: string, branch: string): string {
  const folder = join(home, "src", name);
  mkdirSync(join(folder, ".git"), { recursive: true });
  writeFileSync(join(folder, ".git", "HEAD"), `ref: refs/heads/${branch}\n`);
  return folder;
}

/** Wired sessions alone: who waits, who has a plan, who works, who is stuck, who is done. */
export async function storeWorld(root: string): Promise<ViewWorld> {
  const world = emptyWorld(root);
  const { home, store } = world;
  await playSessions(store, [
    asking(projectIn(home, "shop", "feat/cart")),
    planning(projectIn(home, "api", "main")),
    working(world.folder),
    stuck(projectIn(home, "cli", "main")),
    finished(projectIn(home, "docs", "main")),
  ]);
  return world;
}

/** A usual afternoon: those, agents that nobody has wired, who was here long ago, and tasks. */
export async function usualWorld(root: string): Promise<ViewWorld> {
  const world = await storeWorld(root);
  const { home, environment } = world;
  transcriptsOnly(home);
  const task = (...words: readonly string[]) => {
    const { exit, err } = command(["task", "add", ...words, "--list", "release"], "", environment);
    if (exit !== 0) throw new Error(err);
  };
  task("Release 2.0");
  task("Fix the login", "--parent", "1");
  task("Write the docs", "--parent", "1");
  task("Deploy", "--after", "2,3");
  return world;
}

const opening = (told: Telling, words: string, add: readonly (string | object)[]) => async () => {
  await told.starts();
  await told.says(words);
  await told.todo({ add });
};

function asking(folder: string): WiredSession {
  const add = [
    "Read the schema",
    "Write the migration",
    "Fill the new column",
    "Read from it",
    "Test it",
    "Drop",
    "Tell",
  ];
  return {
    session: IDS.shop,
    folder,
    steps: [
      ago(31, (told) => opening(told, "Move prices to the new column", add)()),
      ago(12, (told) => told.finishes([1, 2, 3, 4, 5], "npm test")),
      ago(3.2, (told) =>
        told.asks("Drop the old column now, or keep it one release?", ["Drop it now", "Keep it one release"]),
      ),
    ],
  };
}

const PLAN = `# Move sessions to Redis

Sessions are kept in memory today, so a restart signs everybody out.

1. Add a Redis store behind the interface
2. Copy sessions while both are there
3. Switch reads over
4. Remove the old store
`;

function planning(folder: string): WiredSession {
  return {
    session: IDS.api,
    folder,
    steps: [
      ago(15, async (told) => {
        await told.starts();
        await told.says("Plan how sessions survive a restart");
      }),
      ago(8.2, (told) => told.proposes(PLAN)),
    ],
  };
}

const LOGIN = [
  "Find where the session ends early",
  "Write a failing test",
  "Fix the cookie",
  "Update the changelog",
  { text: "Run tests", activeForm: "Running tests" },
  "Open the pull request",
];

/** A sub-agent beside it, and a call that runs; one todo was ticked off although its check failed, one with nothing. */
function working(folder: string): WiredSession {
  const explore = "a1b2c3d4";
  return {
    session: IDS.web,
    folder,
    steps: [
      ago(20, (told) => opening(told, "Users are signed out too early: fix the login", LOGIN)()),
      ago(17, (told) => told.finishes([1], "grep -rn session src")),
      ago(12, async (told) => {
        await told.edits(join(folder, "test/session.test.ts"));
        await told.finishes([2], "npm test");
      }),
      ago(6, async (told) => {
        await told.edits(join(folder, "src/session.ts"));
        await told.fails("npm test");
        await told.todo({ done: 3 });
        await told.todo({ done: 4 });
        await told.todo({ note: "use --bail" });
      }),
      ago(2, async (told) => {
        await told.startsAgent(explore, "Explore");
        await told.todo(
          { add: ["List the routes", { text: "Read the auth flow", activeForm: "Reading auth flow" }, "Report"] },
          explore,
        );
        await told.runs("ls src/routes", explore);
        await told.todo({ done: 1 }, explore);
        await told.begins("Grep", { pattern: "cookie" }, explore);
      }),
      ago(0.7, (told) => told.begins("Bash", { command: "npm test" })),
    ],
  };
}

function stuck(folder: string): WiredSession {
  const add = [
    "Read the error",
    { text: "Fix the build", activeForm: "Fixing the build" },
    "A",
    "B",
    "C",
    "D",
    "E",
    "F",
  ];
  return {
    session: IDS.cli,
    folder,
    isCodex: true,
    steps: [
      ago(18, (told) => opening(told, "The build is red", add)()),
      ago(16, (told) => told.finishes([1], "cat build.log")),
      ...[9, 7, 5, 4, 3, 1.5].map((minutes) => ago(minutes, (told) => told.fails("npm run build"))),
    ],
  };
}

function finished(folder: string): WiredSession {
  const add = [
    "Collect the flags",
    "Write the guide",
    "Add examples",
    "Check the links",
    "Run the examples",
    "Publish",
  ];
  return {
    session: IDS.docs,
    folder,
    steps: [
      ago(70, (told) => opening(told, "Write the guide for 2.0", add)()),
      ago(50, (told) => told.finishes([1, 2, 3, 4], "npm test")),
      ago(30, (told) => told.finishes([5], "node examples/all.mjs")),
      ago(25, (told) => told.finishes([6])),
      ago(22.2, (told) => told.stops("The guide is published.")),
    ],
  };
}

const LONG = "Rename the helper in every package, one commit each, and keep the old name for one release; ";

/** Agents that nobody has wired. */
function transcriptsOnly(home: string): void {
  const at = (name: keyof typeof IDS, branch: string, past: number) => ({
    session: IDS[name],
    folder: projectIn(home, name, branch),
    branch,
    at: before(past),
  });
  const usage = { input_tokens: 12, cache_read_input_tokens: 41_000, output_tokens: 140 };
  writeClaude(home, at("tokyo", "機能/決済", 0.5 * MINUTE), [
    user("決済画面を直してください 🙏"),
    ...wrote("画面を読む.", "支払いのテストを書く 🧪!", "👩‍👩‍👧‍👦 家族の割引を確認する", "リリースする 🚀"),
    calls("c1", "Bash", { command: "npm test -- 決済" }, { usage, model: "claude-opus-5" }),
  ]);
  writeClaude(home, at("long", `feature/${"a-very-long-name-".repeat(6)}end`, 4 * MINUTE), [
    user(LONG.repeat(20)),
    ...wrote(`${LONG.repeat(12)}.`, `${LONG.repeat(30)}!`, "x".repeat(3000)),
    calls("c1", "Bash", { command: `echo ${"y".repeat(2000)}` }, { usage }),
    answers("c1", "ok"),
  ]);
  writeClaude(home, at("ops", "main", 3 * HOUR), [
    user("Rotate the keys"),
    ...wrote("Rotate the keys", "Tell everybody"),
    says("I stop here for today."),
  ]);
  writeCodex(home, at("infra", "main", 45 * MINUTE), [
    ...codexStarts("Move the runners"),
    ...codexWrote("c1", "Find them.", "Move one.", "Move the others"),
    codexCalls("c2", "shell", { command: ["ls", "runners"] }),
    codexAnswers("c2", JSON.stringify({ output: "ok", metadata: { exit_code: 0 } })),
    ...codexEnds("One runner is moved."),
  ]);
  writeClaude(home, at("past", "main", 30 * HOUR), [user("Look around"), ...wrote("Look."), says("Seen.")]);
}

/** The `terminal` entries of what attackers write. */
export function hostileTexts(): readonly string[] {
  return attacksOn("terminal").map(({ input }) => String(evaluate(input)));
}

/** Every text that a model may write is hostile: lists, notes, plans, tasks, questions, titles, folders, branches. */
export async function hostileWorld(root: string, texts: readonly string[] = hostileTexts()): Promise<ViewWorld> {
  const world = emptyWorld(root);
  const own = (at: number, prefix: string) =>
    `${prefix}${at.toString(16).padStart(6, "0")}-0000-4000-8000-000000000000`;
  const wired = texts.map(
    (text, at): WiredSession => ({
      session: own(at, "aa"),
      folder: world.folder,
      steps: [
        ago(5, (told) => opening(told, text, [{ text, activeForm: text }, `${text} again`])()),
        ago(4, (told) => told.todo({ note: text })),
        ago(3, (told) => told.begins("Bash", { command: text, description: text })),
        ago(2, (told) =>
          at % 2 === 0 ? told.asks(text, [text]) : told.proposes(`# ${text}\n\n1. ${text}\n2. ${text}\n`),
        ),
      ],
    }),
  );
  await playSessions(world.store, wired);
  for (const [at, text] of texts.entries()) {
    const told = {
      session: own(at, "bb"),
      folder: `/home/dev/${text.slice(0, 100)}`,
      branch: text,
      // Apart from each other: what is as old as another stands in the order of its name, which two worlds have differently.
      at: before(2 * MINUTE) + at * 1000,
    };
    writeClaude(world.home, told, [
      user(text),
      ...wrote(`${text}.`, `${text}!`, text),
      calls("c1", text, { command: text }),
    ]);
    command(["task", "add", text, "--list", "hostile"], "", world.environment);
  }
  return world;
}

/** One session with so many todos. */
export async function longListWorld(root: string, count = 1000): Promise<ViewWorld> {
  const world = emptyWorld(root);
  const add = Array.from({ length: count }, (_, at) => `Part ${at + 1} of the work`);
  await playSessions(world.store, [
    {
      session: IDS.web,
      folder: world.folder,
      steps: [ago(9, (told) => opening(told, "Do all of it", add)()), ago(8, (told) => told.finishes([1, 2, 3]))],
    },
  ]);
  return world;
}
