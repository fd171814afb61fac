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
import type { Teller } from "./loops.js";
import type { Story } from "./trace.js";

const times = (count: number, what: (at: number) => void) => Array.from({ length: count }, (_, at) => what(at));
const NETWORK = { kind: "fetch", trouble: "network" } as const;

/** Ends the turn, with all todos done or none there. */
function goodEnd(story: Story): Story {
  writeList(story, 0, 0, "forward");
  return story.tell({ type: "turn-ended", words: words(story) });
}

export const HONEST: Readonly<Record<string, Teller>> = {
  "the same tool over 20 files": (story) => {
    beginning(story);
    times(20, () => read(story, fileName(story), words(story, 20)));
    times(20, () => newEdit(story));
    goodEnd(story);
  },
  "the same edit in 20 files": (story) => {
    beginning(story);
    times(20, () => edit(story, fileName(story), "oldName", "newName", { output: "The file has been updated." }));
    goodEnd(story);
  },
  "files that hold the same": (story) => {
    beginning(story);
    times(12, () => read(story, fileName(story), "export {};"));
  },
  "tests run again after edits, the same failure": (story) => {
    const [check, file] = [story.random.pick(CHECKS), fileName(beginning(story))];
    const failure = words(story, 12);
    times(4 + story.random.below(3), () => {
      newEdit(story, file);
      runCheck(story, check, failure, false);
    });
    newEdit(story, file);
    runCheck(story, check, "ok", true);
  },
  "tests run again after edits, other failures": (story) => {
    const check = story.random.pick(CHECKS);
    beginning(story);
    times(8, () => {
      if (story.random.chance(0.4)) readSomething(story);
      newEdit(story);
      runCheck(story, check, words(story, 12), false);
    });
  },
  "a failing test is run once more": (story) => {
    const check = story.random.pick(CHECKS);
    const failure = words(beginning(story), 9);
    runCheck(story, check, failure, false);
    runCheck(story, check, failure, false);
    read(story, fileName(story), words(story, 20));
    newEdit(story);
    runCheck(story, check, "ok", true);
  },
  "a failing test is looked into by reading": (story) => {
    const check = story.random.pick(CHECKS);
    const failure = words(beginning(story), 9);
    times(3, () => {
      runCheck(story, check, failure, false);
      times(3, () => readSomething(story));
    });
    newEdit(story);
    runCheck(story, check, "ok", true);
  },
  "the linter is clean after each edit": (story) => {
    beginning(story);
    times(9, () => {
      newEdit(story);
      runCheck(story, { command: "npm run lint", check: "lint" }, "No problems found", true);
    });
  },
  "the linter is clean after each edit by a script": (story) => {
    beginning(story);
    times(12, () => {
      run(story, `python3 - <<'EOF'\nrewrite("${fileName(story)}", "${words(story, 2)}")\nEOF`, "");
      runCheck(story, { command: "npm run lint", check: "lint" }, "No problems found", true);
    });
  },
  "polling a build that moves": (story) => {
    beginning(story);
    times(40, (at) => {
      story.wait(30_000);
      poll(story, "bash_1", `compiling ${at} of 40`);
    });
  },
  "polling a build that rests for minutes": (story) => {
    beginning(story);
    for (const state of ["compiling", "linking", "packing"])
      times(9, () => {
        story.wait(20_000);
        poll(story, "bash_1", state);
      });
  },
  "a look at a slow build now and then, and other work": (story) => {
    beginning(story);
    times(8, () => {
      story.wait(3 * MINUTES);
      poll(story, "bash_1", "compiling");
      readSomething(story);
    });
  },
  "paging through a long file": (story) => {
    const file = fileName(beginning(story));
    times(15, (at) => read(story, file, words(story, 20), { offset: at * 2000, limit: 2000 }));
  },
  "git status between edits": (story) => {
    beginning(story);
    times(8, () => {
      newEdit(story, "/home/dev/project/src/index.ts");
      run(story, "git status --short", " M src/index.ts");
    });
  },
  "a file is read before and after each edit": (story) => {
    const file = fileName(beginning(story));
    times(7, () => {
      read(story, file, words(story, 20));
      newEdit(story, file);
      read(story, file, words(story, 20));
    });
  },
  "retries after network errors that then succeed": (story) => {
    beginning(story);
    const url = { url: "https://registry.example.org/pkg" };
    times(6, () => {
      story.wait(20_000);
      story.call("WebFetch", url, "503 Service Unavailable", NETWORK, { status: "failed" });
    });
    story.call("WebFetch", url, words(story, 9), { kind: "fetch" });
  },
  "the same command in other folders": (story) => {
    beginning(story);
    times(10, (at) =>
      run(story, `cd packages/p${at} && npm run build`, "Done", { milliseconds: 5000 }, { check: "build" }),
    );
  },
  "searches without a match": (story) => {
    beginning(story);
    times(14, () =>
      run(story, `rg ${words(story, 1)} src`, "", { exit: 1, status: story.random.pick(["failed", "completed"]) }),
    );
  },
  "searches that say that there is no match": (story) => {
    beginning(story);
    times(14, () => story.call("Grep", { pattern: words(story, 1) }, "No matches found", { kind: "search" }));
  },
  "a person asks for the same thing again": (story) => {
    beginning(story);
    const answer = words(story, 9);
    times(6, () => {
      story.tell({ type: "prompt" });
      run(story, "npm run report", answer);
      story.tell({ type: "turn-ended", words: answer });
    });
  },
  "a list that is kept up": (story) => {
    story.tell({ type: "prompt" });
    const todos = 8;
    writeList(story, todos, 0, "moved");
    writeList(story, todos, 1, "moved");
    times(todos, (done) => {
      times(1 + story.random.below(4), () => something(story));
      const open = todos - done - 1;
      writeList(story, open, open > 0 ? 1 : 0, "forward");
    });
    story.tell({ type: "turn-ended", words: words(story) });
  },
  "the same check for each todo": (story) => {
    story.tell({ type: "prompt" });
    times(7, (done) => {
      run(story, `node migrate.mjs --step ${done}`, "migrated");
      runCheck(story, story.random.pick(CHECKS.slice(0, 1)), "ok", true);
      writeList(story, 7 - done, 1, "forward");
    });
    goodEnd(story);
  },
  "a list that is worded anew twice": (story) => {
    story.tell({ type: "prompt" });
    writeList(story, 5, 0, "moved");
    writeList(story, 5, 0, "same");
    writeList(story, 5, 0, "same");
    writeList(story, 5, 1, "moved");
    something(story);
  },
  "a build that takes 20 minutes": (story) => {
    beginning(story);
    writeList(story, 3, 1, "moved");
    run(story, "make world", "built", { milliseconds: (12 + story.random.below(15)) * MINUTES });
    writeList(story, 2, 1, "forward");
    something(story);
  },
  "a build that takes 25 minutes, looked at by a clock": (story) => {
    beginning(story);
    writeList(story, 3, 1, "moved");
    something(story);
    const calling = story.at + 2000;
    times(8, () => story.wait(3 * MINUTES).tell({ type: "tick", calling }));
    const milliseconds = story.at - calling;
    // The clock was ahead of the call.
    story.at = calling;
    run(story, "make world", "built", { milliseconds });
  },
  "a person is waited for": (story) => {
    beginning(story);
    writeList(story, 3, 1, "moved");
    something(story);
    story.tell({ type: "awaited" });
    times(5, () => story.wait(50 * MINUTES).tell({ type: "tick" }));
    story.tell({ type: "answered" });
    something(story);
  },
  "a question ends the turn": (story) => {
    beginning(story);
    writeList(story, 3, 1, "moved");
    something(story);
    story.tell({ type: "turn-ended", words: words(story), isAsking: true });
    times(5, () => story.wait(50 * MINUTES).tell({ type: "tick" }));
    story.tell({ type: "prompt" });
    something(story);
  },
  "it sleeps until it is woken": (story) => {
    beginning(story);
    writeList(story, 3, 1, "moved");
    something(story);
    story.tell({ type: "turn-ended", words: words(story), wakesAt: story.at + 180 * MINUTES });
    times(3, () => story.wait(50 * MINUTES).tell({ type: "tick" }));
    story.tell({ type: "woken", by: "alarm" });
    something(story);
  },
  "a usage limit": (story) => {
    beginning(story);
    writeList(story, 3, 1, "moved");
    story.tell({ type: "turn-ended", because: "usage-limit" });
    times(4, () => story.wait(50 * MINUTES).tell({ type: "tick" }));
    story.tell({ type: "prompt" });
    something(story);
  },
  "agents in the background": (story) => {
    beginning(story);
    writeList(story, 3, 1, "moved");
    for (const agent of ["a1", "a2", "a3"]) story.tell({ type: "agent-started", agent });
    story.tell({ type: "turn-ended", words: words(story), background: 3 });
    times(30, (at) => story.wait(2 * MINUTES).tell({ type: "agent-heard", agent: `a${1 + (at % 3)}` }));
    for (const agent of ["a1", "a2", "a3"]) story.tell({ type: "agent-ended", agent });
    story.tell({ type: "woken", by: "agents" });
    something(story);
  },
  "sub-agents make the same call": (story) => {
    beginning(story);
    story.together(() => {
      times(4, () => story.call("Task", { prompt: "review" }, "Looks good", { kind: "agent" }));
    });
    for (const agent of ["a1", "a2", "a3"]) story.tell({ type: "agent-started", agent });
    times(12, () => story.wait(MINUTES).tell({ type: "agent-heard", agent: story.random.pick(["a1", "a2", "a3"]) }));
    for (const agent of ["a1", "a2", "a3"]) story.tell({ type: "agent-ended", agent });
  },
  "reads beside each other": (story) => {
    beginning(story);
    const [file, content] = [fileName(story), words(story, 9)];
    story.together(() => {
      times(5, () => read(story, file, content));
      times(5, () => read(story, fileName(story), words(story, 9)));
    });
    story.together(() => times(6, () => read(story, fileName(story), "File does not exist.")));
  },
  "a few guesses where a file is": (story) => {
    beginning(story);
    times(3, () => {
      const file = fileName(story);
      const facts = { kind: "read", files: [file] } as const;
      story.call("Read", { file_path: file }, "File does not exist.", facts, { status: "failed" });
    });
    run(story, "rg --files", words(story, 9));
  },
  "an edit that misses twice": (story) => {
    const file = fileName(beginning(story));
    times(2, () => {
      edit(story, file, words(story), words(story), {
        status: "failed",
        output: "String to replace not found in file.",
      });
      read(story, file, words(story, 20));
    });
    newEdit(story, file);
  },
  "files are read again after a compaction": (story) => {
    beginning(story);
    const files = Array.from({ length: 6 }, () => [fileName(story), words(story, 20)] as const);
    for (const [file, content] of files) read(story, file, content);
    runCheck(story, CHECKS[0], "2 failed", false);
    run(story, "git status --short", " M a.ts");
    story.tell({ type: "compacted" });
    for (const [file, content] of files) read(story, file, content);
    runCheck(story, CHECKS[0], "2 failed", false);
    run(story, "git status --short", " M a.ts");
    newEdit(story);
    runCheck(story, CHECKS[0], "ok", true);
  },
  "files are read again by commands after a compaction": (story) => {
    beginning(story);
    const looks = Array.from({ length: 8 }, () => [`sed -n 1,200p ${fileName(story)}`, words(story, 20)] as const);
    for (const [command, content] of looks) run(story, command, content);
    story.tell({ type: "compacted" });
    for (const [command, content] of looks) run(story, command, content);
    newEdit(story);
  },
  "calls that a person refuses": (story) => {
    beginning(story);
    times(5, () => run(story, "rm -r build", "The user rejected this.", { status: "cancelled" }));
  },
  "a goal that is worked at": (story) => {
    beginning(story);
    times(6, () => {
      story.tell({ type: "goal-fired", goal: "all tests pass" });
      times(1 + story.random.below(4), () => something(story));
      story.tell({ type: "turn-ended", words: words(story) });
    });
  },
  "a goal while agents work": (story) => {
    beginning(story);
    story.tell({ type: "agent-started", agent: "a1" });
    times(6, () => {
      story.tell({ type: "goal-fired", goal: "all tests pass" });
      story.tell({ type: "turn-ended", words: words(story), background: 1 });
      story.wait(2 * MINUTES).tell({ type: "agent-heard", agent: "a1" });
    });
  },
  "an alarm wakes it each hour, and nothing is new": (story) => {
    beginning(story);
    times(6, () => {
      run(story, "gh pr list", "no open pull requests");
      story.tell({ type: "turn-ended", words: words(story), wakesAt: story.at + 60 * MINUTES });
      story.wait(60 * MINUTES).tell({ type: "woken", by: "alarm" });
    });
  },
  "a lease that is renewed": (story) => {
    beginning(story);
    times(8, () => {
      story.tell({ type: "leased", task: "T-7", until: story.at + 15 * MINUTES });
      something(story);
      story.wait(7 * MINUTES);
    });
    goodEnd(story.tell({ type: "lease-left", task: "T-7" }));
    story.wait(60 * MINUTES).tell({ type: "tick" });
  },
  "the work is done and nobody says more": (story) => {
    beginning(story);
    something(story);
    goodEnd(story);
    story.wait(300 * MINUTES).tell({ type: "tick" });
  },
  "a missing tool is called twice": (story) => {
    beginning(story);
    times(2, () =>
      story.call(
        "sql",
        { q: words(story, 2) },
        "No such tool available: sql",
        { trouble: "no-tool" },
        { status: "failed" },
      ),
    );
    run(story, "sqlite3 app.db .tables", words(story, 4));
  },
  "the same look twice, then work": (story) => {
    beginning(story);
    const listing = words(story, 9);
    times(5, () => {
      run(story, "ls", listing);
      run(story, "ls", listing);
      something(story);
    });
  },
  "a long day of work": (story) => {
    times(6, () => {
      beginning(story);
      times(20, () => something(story));
      runCheck(story, story.random.pick(CHECKS), words(story, 5), story.random.chance(0.5));
      goodEnd(story);
      story.wait(story.random.below(50) * MINUTES);
    });
  },
};
