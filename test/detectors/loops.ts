import {
  beginning,
  CHECKS,
  edit,
  fileName,
  MINUTES,
  newEdit,
  poll,
  read,
  readSomething,
  run,
  runCheck,
  something,
  words,
  writeList,
} from "./agent-work.js";
import type { Story } from "./trace.js";

/** Tells a story that is a loop from some point on; returns the detector that is for it. */
export type Teller = (story: Story) => void;

const times = (count: number, what: (at: number) => void) => Array.from({ length: count }, (_, at) => what(at));

/** A call that tells the same each time. */
function steadyCall(story: Story): () => Story {
  const file = fileName(story);
  const content = words(story, 12);
  const word = words(story, 1);
  const make: readonly (() => Story)[] = [
    () => read(story, file, content),
    () => run(story, `rg ${word} src`, content),
    () => run(story, `ls -la ${file}`, content),
    () => story.call("query", { sql: word }, content, {}, { server: "database" }),
  ];
  return story.random.pick(make);
}

function failingCall(story: Story): () => Story {
  const file = fileName(story);
  const word = words(story, 1);
  const make: readonly (() => Story)[] = [
    () => run(story, `node scripts/${word}.mjs`, `Error: ${word} is not defined`, { exit: 1 }),
    () => run(story, `cp ${file} /etc/`, "cp: cannot create regular file: Permission denied", { exit: 1 }),
    () => story.call("fetch_page", { id: word }, `No page ${word}`, {}, { server: "wiki", status: "failed" }),
    () => edit(story, file, word, "x", { status: "failed", output: "String to replace not found in file." }),
  ];
  return story.random.pick(make);
}

/** Steps that are no progress, between the repeats of a loop. */
function noise(story: Story): void {
  if (story.random.chance(0.2)) story.tell({ type: "said", words: words(story) });
  if (story.random.chance(0.1)) story.tell({ type: "tick" });
}

const sameOutcome: readonly Teller[] = [
  (story) => {
    const again = steadyCall(beginning(story));
    again();
    times(3 + story.random.below(7), () => {
      noise(story);
      again().useless();
    });
  },
  // Twice in each reply: one round.
  (story) => {
    const again = steadyCall(beginning(story));
    times(6, (at) => {
      story.together(() => {
        again();
        again();
      });
      if (at > 0) story.useless();
    });
  },
  // With the network in between, which is no progress.
  (story) => {
    const again = steadyCall(beginning(story));
    again();
    times(6, () => {
      if (story.random.chance(0.4))
        story.call(
          "WebFetch",
          { url: "https://example.org" },
          "ECONNRESET",
          { kind: "fetch", trouble: "network" },
          { status: "failed" },
        );
      again().useless();
    });
  },
  // A write of what is there already.
  (story) => {
    const file = fileName(beginning(story));
    const facts = { kind: "edit", files: [file], isUnchanged: true } as const;
    const again = () => story.call("Write", { file_path: file, content: "a" }, "No changes were made.", facts);
    again();
    times(6, () => again().useless());
  },
];

const sameError: readonly Teller[] = [
  (story) => {
    const again = failingCall(beginning(story));
    again();
    times(2 + story.random.below(5), () => {
      noise(story);
      again().useless();
    });
  },
  (story) => {
    const check = story.random.pick(CHECKS);
    const failure = words(beginning(story), 12);
    runCheck(story, check, failure, false);
    times(4, () => runCheck(story, check, failure, false).useless());
  },
  // With things read in between that do not help.
  (story) => {
    const again = failingCall(beginning(story));
    again();
    times(6, () => {
      read(story, fileName(story), words(story, 20));
      again().useless();
    });
  },
];

const cycle: readonly Teller[] = [
  (story) => {
    const period = 2 + story.random.below(4);
    beginning(story);
    const lap = Array.from({ length: period }, () =>
      story.random.chance(0.8) ? steadyCall(story) : failingCall(story),
    );
    for (const call of lap) call();
    times(3 + story.random.below(3), () => {
      for (const call of lap) call();
      story.useless();
    });
  },
  // One reply has two calls.
  (story) => {
    const [a, b, c] = [steadyCall(beginning(story)), steadyCall(story), steadyCall(story)];
    const lap = () => {
      story.together(() => {
        if (story.random.chance(0.5)) {
          a();
          b();
        } else {
          b();
          a();
        }
      });
      return c();
    };
    lap();
    times(4, () => lap().useless());
  },
  // There and back.
  (story) => {
    const file = fileName(beginning(story));
    const check = story.random.pick(CHECKS);
    const lap = () => {
      edit(story, file, "on", "off");
      runCheck(story, check, "1 failed: on", false);
      edit(story, file, "off", "on");
      return runCheck(story, check, "1 failed: off", false);
    };
    lap();
    times(5, () => lap().useless());
  },
];

const argumentChurn: readonly Teller[] = [
  (story) => {
    beginning(story);
    times(7, (at) => {
      run(story, `deploy --region ${words(story, 1)}`, "Error: not logged in. Run login first.", { exit: 1 });
      if (at > 0) story.useless();
    });
  },
  (story) => {
    beginning(story);
    times(7, (at) => {
      const input = { query: words(story, 3) };
      story.call("search", input, "Request failed: index is closed", {}, { server: "tickets", status: "failed" });
      noise(story);
      if (at > 0) story.useless();
    });
  },
];

const unknownTool: readonly Teller[] = [
  (story) => {
    const tool = story.random.pick(["open_browser", "edit_file", "delegate", "sql"]);
    beginning(story);
    times(6, (at) => {
      if (story.random.chance(0.3)) readSomething(story);
      const input = { value: words(story, 1 + story.random.below(2)) };
      story.call(tool, input, `Error: No such tool available: ${tool}`, { trouble: "no-tool" }, { status: "failed" });
      if (at > 0) story.useless();
    });
  },
];

const failingEdits: readonly Teller[] = [
  (story) => {
    const file = fileName(beginning(story));
    times(7, (at) => {
      if (story.random.chance(0.5)) read(story, file, words(story, 20), { offset: at * 100 });
      const output = `String to replace not found in file: ${words(story, 2)}`;
      edit(story, file, words(story), words(story), { status: "failed", output });
      if (at > 0) story.useless();
    });
  },
];

const listChurn: readonly Teller[] = [
  (story) => {
    story.tell({ type: "prompt" });
    writeList(story, 5, 1, "moved");
    times(5, () => {
      writeList(story, 5, 1, "same").useless();
      noise(story);
    });
  },
];

const sameWords: readonly Teller[] = [
  (story) => {
    const said = words(beginning(story));
    times(6, (at) => {
      story.tell({ type: "said", words: said });
      if (at > 0) story.useless();
    });
  },
  // Sent on by its client, it says the same at the end of each turn.
  (story) => {
    const said = words(beginning(story));
    times(6, (at) => {
      if (story.random.chance(0.5)) story.tell({ type: "said", words: said });
      story.tell({ type: "turn-ended", words: said });
      if (at > 0) story.useless();
      story.tell({ type: "woken", by: "stop-hook" });
    });
  },
];

const goalAgain: readonly Teller[] = [
  (story) => {
    beginning(story);
    times(6, (at) => {
      story.tell({ type: "turn-ended", words: words(story) });
      story.tell({ type: "goal-fired", goal: "make the build green" });
      if (at > 0) story.useless();
    });
  },
];

const afterCompaction: readonly Teller[] = [
  (story) => {
    beginning(story);
    newEdit(story);
    const done = Array.from({ length: 9 }, () => {
      const [command, output] = [`node scripts/${words(story, 1)}.mjs`, words(story, 9)];
      return () => run(story, command, output);
    });
    for (const call of done) call();
    story.tell({ type: "compacted" });
    if (story.random.chance(0.5)) readSomething(story);
    for (const call of done) call().useless();
  },
  (story) => {
    const again = steadyCall(beginning(story));
    if (story.random.chance(0.5)) again();
    story.tell({ type: "compacted" });
    again();
    times(4, () => again().useless());
  },
];

const polling: readonly Teller[] = [
  (story) => {
    const every = 20_000 + story.random.below(5 * MINUTES);
    beginning(story);
    poll(story, "bash_1", "compiling 17 of 80");
    for (let waited = 0; waited < 25 * MINUTES; waited += every) {
      story.wait(every);
      poll(story, "bash_1", "compiling 17 of 80");
    }
  },
];

const stalledTodo: readonly Teller[] = [
  (story) => {
    beginning(story);
    writeList(story, 4, 1, "moved");
    something(story);
    story.wait((11 + story.random.below(90)) * MINUTES);
    if (story.random.chance(0.5)) story.tell({ type: "tick" });
    else story.tell({ type: "said", words: words(story) });
  },
  // A call that never ends.
  (story) => {
    beginning(story);
    writeList(story, 4, 1, "moved");
    something(story);
    const calling = story.at + 1000;
    story.wait((32 + story.random.below(90)) * MINUTES).tell({ type: "tick", calling });
  },
];

const leaseNotRenewed: readonly Teller[] = [
  (story) => {
    beginning(story);
    story.tell({ type: "leased", task: "T-7", until: story.at + 15 * MINUTES });
    something(story);
    story.wait((18 + story.random.below(60)) * MINUTES);
    if (story.random.chance(0.5)) story.tell({ type: "tick" });
    else something(story);
  },
];

const idleWithOpen: readonly Teller[] = [
  (story) => {
    beginning(story);
    writeList(story, 3, story.random.below(2), "moved");
    something(story);
    story.tell({ type: "turn-ended", words: words(story) });
    if (story.random.chance(0.5)) story.wait(12 * MINUTES).tell({ type: "tick" });
    story.wait((32 + story.random.below(300)) * MINUTES).tell({ type: "tick" });
  },
];

const silentChild: readonly Teller[] = [
  (story) => {
    beginning(story);
    story.tell({ type: "agent-started", agent: "child-1" });
    story.tell({ type: "agent-started", agent: "child-2" });
    times(3, () => story.wait(5 * MINUTES).tell({ type: "agent-heard", agent: "child-2" }));
    story.wait(story.random.below(20) * MINUTES).tell({ type: "agent-heard", agent: "child-2" });
  },
];

const sameFile: readonly Teller[] = [
  (story) => {
    const file = fileName(beginning(story));
    newEdit(story, file);
    story.tell({ type: "same-file", file, session: "codex:0199-2" });
  },
];

export const LOOPS: Readonly<Record<string, readonly Teller[]>> = {
  "same-outcome": sameOutcome,
  "same-error": sameError,
  cycle,
  "argument-churn": argumentChurn,
  "unknown-tool": unknownTool,
  "failing-edits": failingEdits,
  "after-compaction": afterCompaction,
  polling,
  "list-churn": listChurn,
  "same-words": sameWords,
  "goal-again": goalAgain,
  "stalled-todo": stalledTodo,
  "idle-with-open": idleWithOpen,
  "silent-child": silentChild,
  "lease-not-renewed": leaseNotRenewed,
  "same-file": sameFile,
};
