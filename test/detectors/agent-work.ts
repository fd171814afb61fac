import type { CallOptions, Story } from "./trace.js";

// What agents do, in the words of their clients' tools: half of the stories are told by Claude Code, half by Codex.

export const MINUTES = 60_000;

const FOLDERS = ["src", "lib", "app", "packages/api", "web", "server", "core"];
const NAMES = ["index", "parse", "render", "store", "router", "client", "session", "cache", "queue", "lexer", "auth"];
const ENDINGS = ["ts", "py", "go", "rs", "js"];
const WORDS = ["retry", "timeout", "cursor", "token", "header", "branch", "widget", "socket", "buffer", "schema"];

export function fileName(story: Story): string {
  const { pick, below } = story.random;
  return `/home/dev/project/${pick(FOLDERS)}/${pick(NAMES)}-${below(10_000)}.${pick(ENDINGS)}`;
}

export function words(story: Story, count = 6): string {
  return Array.from({ length: count }, () => `${story.random.pick(WORDS)}${story.random.below(1000)}`).join(" ");
}

export function read(story: Story, file: string, content: string, range: object = {}): Story {
  return story.call("Read", { file_path: file, ...range }, content, { kind: "read", files: [file] });
}

export function edit(
  story: Story,
  file: string,
  from: string,
  to: string,
  options: CallOptions & { output?: string } = {},
) {
  const { output = `The file ${file} has been updated.`, ...rest } = options;
  const input = { file_path: file, old_string: from, new_string: to };
  return story.call("Edit", input, output, { kind: "edit", files: [file], added: 1, removed: 1 }, rest);
}

export function newEdit(story: Story, file = fileName(story)): Story {
  return edit(story, file, words(story), words(story));
}

export function run(
  story: Story,
  command: string,
  output: string,
  options: CallOptions = {},
  facts: object = {},
): Story {
  const kind = /^(?:rg|grep)\b/.test(command) ? "search" : "execute";
  const isLook = /^(?:cat|sed -n|ls|rg|grep|git (?:log|status))\b/.test(command) ? ({ isLook: true } as const) : {};
  const isFailed = options.exit !== undefined && options.exit !== 0;
  const status = options.status ?? (isFailed ? "failed" : "completed");
  return story.call("Bash", { command }, output, { kind, ...isLook, ...facts }, { exit: 0, ...options, status });
}

export const CHECKS = [
  { command: "npm test", check: "tests" },
  { command: "cargo test", check: "tests" },
  { command: "pytest -q", check: "tests" },
  { command: "npx tsc --noEmit", check: "types" },
  { command: "npm run lint", check: "lint" },
] as const;

export function runCheck(
  story: Story,
  { command, check }: (typeof CHECKS)[number],
  output: string,
  isPassed: boolean,
): Story {
  const facts = { check, result: isPassed ? "passed" : "failed" };
  return run(story, command, `${output}\nDone in {time}`, { exit: isPassed ? 0 : 1, milliseconds: 4000 }, facts);
}

/** Asks a command in the background whether it is over. */
export function poll(story: Story, shell: string, output: string): Story {
  return story.call("BashOutput", { bash_id: shell }, output, { kind: "execute", isPoll: true });
}

export function writeList(story: Story, open: number, active: number, how: "forward" | "same" | "moved"): Story {
  return story.tell({ type: "list-written", isForward: how === "forward", isSame: how === "same", open, active });
}

/** A call that tells something new, of one sort or another. */
export function something(story: Story): Story {
  const file = fileName(story);
  switch (story.random.below(4)) {
    case 0:
      return read(story, file, words(story, 20));
    case 1:
      return run(story, `rg ${words(story, 1)} ${file}`, words(story, 8));
    case 2:
      return run(story, `git log -n ${story.random.below(90)} -- ${file}`, words(story, 10));
    default:
      return newEdit(story, file);
  }
}

export function readSomething(story: Story): Story {
  return story.random.chance(0.5)
    ? read(story, fileName(story), words(story, 20))
    : run(story, `rg ${words(story, 1)} src`, words(story, 8));
}

/** How most sessions begin: a person asks, the agent looks around, often with a list. */
export function beginning(story: Story): Story {
  story.tell({ type: "prompt" });
  if (story.random.chance(0.5)) writeList(story, 2 + story.random.below(6), 1, "moved");
  for (let left = story.random.below(6); left > 0; left -= 1) something(story);
  return story;
}
