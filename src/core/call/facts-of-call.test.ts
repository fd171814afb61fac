import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CALL_FACTS, type CallStart } from "./call-facts.js";
import { endFacts, type RawCall, type RawEnd, startFacts } from "./facts-of-call.js";

const call = (tool: string, input: unknown = {}, server?: string): RawCall => ({ tool, input, server });
const bash = (command: unknown, more: object = {}) => call("Bash", { command, ...more });
const ended = (one: RawCall, end: Partial<RawEnd>) => endFacts(one, startFacts(one), { status: "completed", ...end });

describe("a signature", () => {
  const same: readonly [string, RawCall, RawCall][] = [
    ["keys in another order", call("T", { a: 1, b: { c: 2, d: 3 } }), call("T", { b: { d: 3, c: 2 }, a: 1 })],
    ["another description of a command", bash("ls", { description: "x" }), bash("ls", { description: "y" })],
    ["no description", bash("ls"), bash("ls", { description: "y" })],
    ["another time limit", bash("ls", { timeout: 1 }), bash("ls", { timeout: 2 })],
    ["space at the ends", bash(" ls\n"), bash("ls")],
    ["ids of one request", call("T", { a: 1, request_id: "x" }), call("T", { a: 1, request_id: "y" })],
    ["the server in the name", call("mcp__s__t", { a: 1 }), call("t", { a: 1 }, "s")],
  ];
  test.each(same)("is the same: %s", (_, a, b) => expect(startFacts(a).signature).toBe(startFacts(b).signature));

  const other: readonly [string, RawCall, RawCall][] = [
    ["another command", bash("ls a"), bash("ls b")],
    ["another tool", call("Read", { path: "a" }), call("Edit", { path: "a" })],
    ["another server", call("t", {}, "s"), call("t", {}, "r")],
    [
      "a description that is the matter",
      call("issue", { title: "a", description: "b" }),
      call("issue", { title: "a", description: "c" }),
    ],
    ["items in another order", call("T", { a: [1, 2] }), call("T", { a: [2, 1] })],
    ["text and number", call("T", { a: 1 }), call("T", { a: "1" })],
    [
      "a long text that differs in its middle",
      call("T", { a: `${"x".repeat(40_000)}${"y".repeat(100)}${"x".repeat(40_000)}` }),
      call("T", { a: "x".repeat(80_100) }),
    ],
  ];
  test.each(other)("differs: %s", (_, a, b) => expect(startFacts(a).signature).not.toBe(startFacts(b).signature));
});

describe("an outcome", () => {
  const one = call("WebFetch", { url: "x" });
  const outcome = (output: unknown, status: RawEnd["status"] = "completed") => ended(one, { output, status }).outcome;
  test.each([
    ["times", "done at 2026-01-02T03:04:05Z", "done at 2026-11-12 13:14:15"],
    ["clock times", "[10:11:12] ready", "[10:11:13.5] ready"],
    ["durations", "3 passed in 1.23s (took 5 ms)", "3 passed in 10.5s (took 7 ms)"],
    ["uuids", "id 2ecfe6fc-f561-4dbe-92d4-f5080ae5c93a", "id 01a1de9d-79f7-7a63-9d3b-a1f427a35aa0"],
    ["hexadecimal ids", "commit 4f3a9b2c1d", "commit 0a1b2c3d4e"],
    ["processes", "pid 123 started", "pid 4567 started"],
    ["temporary folders", "wrote /tmp/tmp.Xy12/a.log", "wrote /tmp/tmp.Ab34/a.log"],
    ["attempts", "attempt 2 failed", "attempt 3 failed"],
    ["colours", "\u001b[31mred 1\u001b[0m", "red 1"],
    ["blocks", [{ type: "text", text: "a 1" }], "a 1"],
    ["a shell's streams", { stdout: "a\n", stderr: "", interrupted: false }, "a"],
    [
      "Codex's head",
      "Chunk ID: 961a86\nWall time: 0.0503 seconds\nProcess exited with code 0\nOriginal token count: 4\nOutput:\nREADME.md\n",
      "README.md\n",
    ],
  ])("is the same: %s", (_, a, b) => expect(outcome(a)).toBe(outcome(b)));

  test.each([
    ["progress", "45% done", "46% done"],
    ["counts", "3 passed", "4 passed"],
    ["names in a temporary folder", "/tmp/p/a.ts", "/tmp/p/b.ts"],
    ["sizes of what is not looked at", "x".repeat(20_000), "x".repeat(30_000)],
    ["ends", `${"x".repeat(20_000)}a`, `${"x".repeat(20_000)}b`],
  ])("differs: %s", (_, a, b) => expect(outcome(a)).not.toBe(outcome(b)));

  test("a failure is told from a success with the same words", () => {
    expect(outcome("x", "failed")).not.toBe(outcome("x"));
  });
  test("nobody told the answer", () => expect(ended(one, {})).toEqual({}));
  test("an answer of ten megabytes costs nothing", () => {
    const output = "line 1\n".repeat(1_500_000);
    const from = performance.now();
    expect(ended(bash("cat x"), { output }).size).toBe(output.length);
    expect(performance.now() - from).toBeLessThan(500);
  });
});

describe("a kind", () => {
  test.each<[CallStart["kind"], string]>([
    ["read", "Read read view ReadFile read_file NotebookRead mcp__fs__read_text_file mcp__x__get_thing"],
    ["search", "Grep Glob LS grep_search search_file_content list_directory mcp__x__search_code mcp__x__list_issues"],
    [
      "edit",
      "Edit MultiEdit Write NotebookEdit apply_patch str_replace_editor write_file replace edit mcp__fs__write_file",
    ],
    [
      "execute",
      "Bash bash shell exec_command local_shell run_shell_command terminal exec run_in_terminal mcp__x__run_command",
    ],
    ["fetch", "WebFetch WebSearch webfetch google_web_search mcp__browser__navigate"],
    ["agent", "Task Agent spawn_agent task delegate_task"],
    ["other", "AskUserQuestion Skill mcp__x__zzz"],
  ])("%s: %s", (kind, tools) => {
    for (const tool of tools.split(" ")) expect([tool, startFacts(call(tool)).kind]).toEqual([tool, kind]);
  });

  test.each([
    "TodoWrite",
    "update_plan",
    "todo",
    "todo_write",
    "TaskCreate",
    "mcp__milepost__task",
    "milepost-todo",
    "ExitPlanMode",
  ])("%s keeps a list", (tool) => expect(startFacts(call(tool))).toMatchObject({ kind: "other", isList: true }));
  test("one tool that views and edits", () => {
    expect(startFacts(call("str_replace_editor", { command: "view", path: "a" })).kind).toBe("read");
  });
});

const PATCH =
  "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-old\n+new\n+more\n*** Add File: docs/b.md\n+text\n*** End Patch";

describe("files and lines", () => {
  test.each<[string, RawCall, object]>([
    ["a path", call("Read", { file_path: "/a/b.ts" }), { files: ["/a/b.ts"] }],
    ["a document", call("Edit", { file_path: "docs/a.md" }), { files: ["docs/a.md"], isProse: true }],
    ["a licence", call("Write", { file_path: "LICENSE" }), { isProse: true }],
    ["a patch", call("apply_patch", { input: PATCH }), { kind: "edit", files: ["src/a.ts", "docs/b.md"] }],
    ["a patch as text", call("apply_patch", PATCH), { kind: "edit", files: ["src/a.ts", "docs/b.md"] }],
    [
      "a patch in a command",
      call("shell", { command: ["apply_patch", PATCH] }),
      { kind: "edit", files: ["src/a.ts", "docs/b.md"] },
    ],
    ["Codex's changes", call("apply_patch", { changes: { "a.py": {}, "b.py": {} } }), { files: ["a.py", "b.py"] }],
    ["sed", bash("sed -i 's/a/b/' src/a.ts"), { kind: "execute", files: ["src/a.ts"], isChange: true }],
    ["a redirection", bash("cat > notes.md <<EOF\nx\nEOF"), { files: ["notes.md"], isChange: true, isProse: true }],
    ["git", bash("git checkout -- src/a.ts"), { files: ["src/a.ts"], isChange: true }],
    ["a change and then a check", bash("sed -i s/a/b/ a.ts && npm test"), { files: ["a.ts"], check: "tests" }],
    ["a check and then a change", bash("npm test && sed -i s/a/b/ a.ts"), { isChange: true, check: "tests" }],
  ])("%s", (_, one, expected) => expect(startFacts(one)).toMatchObject(expected));

  test.each<[string, RawCall]>([
    ["a log of a check", bash("npm test > out.txt")],
    ["what is thrown away", bash("rm -rf node_modules dist")],
    ["a temporary file", bash("cp a /tmp/b")],
    ["an answer to nowhere", bash("ls > /dev/null 2>&1")],
    ["a look", bash("git status && cat a.ts | tee /dev/stderr")],
  ])("no change: %s", (_, one) => expect(startFacts(one)).not.toHaveProperty("isChange"));

  test.each(["requirements.txt", "src/history.ts", "docs/conf.py", "a.ts"])("%s is no prose", (file_path) => {
    expect(startFacts(call("Write", { file_path }))).not.toHaveProperty("isProse");
  });

  const edit = call("Edit", { file_path: "a", old_string: "a\nb\nc", new_string: "a\nx\ny\nc" });
  test.each<[string, RawCall, Partial<RawEnd>, object]>([
    ["old and new text", edit, { output: "ok" }, { added: 2, removed: 1 }],
    [
      "Claude's patch",
      edit,
      { output: { structuredPatch: [{ lines: [" a", "-b", "+c", "+d"] }] } },
      { added: 2, removed: 1 },
    ],
    [
      "a new file",
      call("Write", { file_path: "a", content: "x\ny\n" }),
      { output: { type: "create", content: "x\ny\n" } },
      { added: 2, removed: 0 },
    ],
    ["a patch", call("apply_patch", PATCH), { output: "Done!" }, { added: 3, removed: 1 }],
    [
      "Codex's changes",
      call("apply_patch", {
        changes: { a: { update: { unified_diff: "--- a\n+++ b\n-x\n+y\n" } }, b: { add: { content: "1\n2\n" } } },
      }),
      { output: "" },
      { added: 3, removed: 1 },
    ],
    [
      "several edits",
      call("MultiEdit", {
        edits: [
          { old_string: "a", new_string: "b" },
          { old_string: "", new_string: "c" },
        ],
      }),
      { output: "ok" },
      { added: 2, removed: 1 },
    ],
    [
      "nothing to change",
      edit,
      { output: "No changes to make: old_string and new_string are exactly the same.", status: "failed" },
      { isUnchanged: true },
    ],
    ["an empty patch", edit, { output: { structuredPatch: [], type: "update" } }, { isUnchanged: true }],
  ])("%s", (_, one, end, expected) => expect(ended(one, end)).toMatchObject(expected));

  test("a failed edit has changed no line", () => {
    expect(ended(edit, { status: "failed", error: "String to replace not found in file." })).not.toHaveProperty(
      "added",
    );
  });
});

describe("exit codes and results of checks", () => {
  const tests = bash("npm test");
  const piped = bash("npm test 2>&1 | tail -5");
  test.each<[string, RawCall, Partial<RawEnd>, object]>([
    ["completed", tests, { output: "x" }, { result: "passed" }],
    ["an answer that nobody told", tests, {}, { result: "passed" }],
    ["failed", tests, { status: "failed", error: "Exit code 1\nx" }, { result: "failed", exit: 1 }],
    [
      "Codex",
      tests,
      { output: "Wall time: 1 seconds\nProcess exited with code 2\nOutput:\n3 passed" },
      { result: "failed", exit: 2 },
    ],
    [
      "an older Codex",
      tests,
      { output: "Exit code: 0\nWall time: 1 seconds\nOutput:\nok" },
      { result: "passed", exit: 0 },
    ],
    [
      "JSON",
      call("terminal", { command: "npm test" }),
      { output: '{"output":"x","exit_code":1}' },
      { result: "failed", exit: 1 },
    ],
    ["metadata", tests, { output: { output: "x", metadata: { exit_code: 0 } } }, { result: "passed", exit: 0 }],
    ["details", tests, { output: { content: [], details: { exitCode: 3 } } }, { result: "failed", exit: 3 }],
    ["told apart", tests, { exit: 1 }, { result: "failed", exit: 1 }],
    ["not told apart", tests, { exit: undefined, output: { stdout: "x", exitCode: 1 } }, { result: "failed", exit: 1 }],
    ["a pipe, and a summary", piped, { output: "Tests  2 failed | 8 passed (10)" }, { result: "failed" }],
    ["a pipe, and a good summary", piped, { output: "10 passed (10)" }, { result: "passed" }],
    ["a pipe, and nothing", piped, { output: "..." }, { result: "unknown" }],
    [
      "a pipe whose end failed",
      piped,
      { output: "10 passed", status: "failed", error: "Exit code 1" },
      { result: "passed" },
    ],
    ["a client that tells no exit code", tests, { output: "ok?", isBlind: true }, { result: "unknown" }],
    ["a client that tells none, and a summary", tests, { output: "1 failing", isBlind: true }, { result: "failed" }],
    ["a request that was answered", bash("curl -i localhost:1"), { output: "HTTP/1.1 200 OK" }, { result: "passed" }],
    ["a request that went wrong", bash("curl -i localhost:1"), { output: "HTTP/1.1 500 Oops" }, { result: "failed" }],
    ["a screenshot", call("browser_take_screenshot", {}, "playwright"), { output: "x" }, { result: "passed" }],
  ])("%s", (_, one, end, expected) => expect(ended(one, end)).toMatchObject(expected));

  test.each<[string, RawCall, Partial<RawEnd>]>([
    ["cancelled", tests, { status: "cancelled", output: "x" }],
    ["goes on in the background", tests, { output: { stdout: "", backgroundTaskId: "b1" } }],
    ["in Codex's background", tests, { output: "Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\n" }],
    ["begun in the background", bash("npm test", { run_in_background: true }), { output: "x" }],
    ["no check", bash("npm test || true"), { output: "x" }],
  ])("no result: %s", (_, one, end) => expect(ended(one, end)).not.toHaveProperty("result"));

  test.each([
    ["failed", "Tests: 1 failed, 2 passed"],
    ["failed", "npm ERR! code 1"],
    ["failed", "src/a.ts(1,2): error TS2322: x"],
    ["failed", "--- FAIL: TestX"],
    ["failed", "test result: FAILED. 1 passed; 1 failed"],
    ["failed", "BUILD FAILED"],
    ["failed", "✖ 3 problems (3 errors, 0 warnings)"],
    ["failed", "not ok 1 - x"],
    ["failed", "1 failing"],
    ["failed", "FAILED (failures=1)"],
    ["failed", "error: could not compile `a`"],
    ["failed", "make: *** [test] Error 1"],
    ["passed", "test result: ok. 3 passed; 0 failed"],
    ["passed", "ok  \tpkg/a\t0.1s"],
    ["passed", "3 passing (1s)"],
    ["passed", "5 examples, 0 failures"],
    ["passed", "All checks passed!"],
    ["passed", "Success: no issues found in 3 source files"],
    ["passed", "BUILD SUCCESSFUL in 1s"],
    ["passed", "Found 0 errors."],
    ["passed", "# tests 3\n# pass 3\n# fail 0"],
    ["unknown", "hello"],
    ["unknown", ""],
    ["unknown", "0 passed"],
  ])("%s by %j", (result, output) => expect(ended(piped, { output }).result).toBe(result));
});

describe("polls", () => {
  test.each<[string, RawCall]>([
    ["output of a shell", call("BashOutput", { bash_id: "1" })],
    ["nothing is typed", call("write_stdin", { session_id: 1, chars: "" })],
    ["a process", call("process", { action: "poll", sessionId: "x" })],
    ["an agent", call("wait_agent", { targets: [] })],
    ["a wait and a look", bash("sleep 30 && gh run view 1")],
    ["a run", bash("gh run watch 1")],
    ["a cluster", bash("kubectl rollout status deploy/a")],
    ["containers", bash("docker ps")],
    ["a log that grows", bash("tail -f a.log")],
    ["a loop", bash("until curl -sf localhost:1/health; do sleep 1; done")],
    ["a wait and a file", bash("sleep 5; cat build.log | tail -3")],
    ["a server's tool", call("get_job_status", {}, "ci")],
  ])("%s", (_, one) => expect(startFacts(one).isPoll).toBe(true));

  test.each<[string, RawCall]>([
    ["something is typed", call("write_stdin", { session_id: 1, chars: "y\n" })],
    ["a wait and work", bash("sleep 5 && npm test")],
    ["a server is started", bash("npm start & sleep 3; curl localhost:1")],
    ["a log", bash("tail -5 a.log")],
    ["a look", bash("ls")],
  ])("none: %s", (_, one) => expect(startFacts(one)).not.toHaveProperty("isPoll"));
});

describe("trouble", () => {
  test.each<[string | undefined, RawCall, string]>([
    ["network", call("WebFetch", { url: "x" }), "getaddrinfo ENOTFOUND example.com"],
    ["network", call("WebFetch", { url: "x" }), "Request failed with status code 503"],
    ["network", call("t", {}, "remote"), "connection refused"],
    ["network", call("Agent", { prompt: "x" }), "API Error: 529 overloaded_error"],
    ["network", bash("git push"), "Exit code 128\nfatal: unable to access: Could not resolve host: github.com"],
    ["network", bash("cd a && npm install"), "npm error code ETIMEDOUT"],
    [undefined, bash("npm test"), "Exit code 1\nError: connect ECONNREFUSED 127.0.0.1:5432"],
    [undefined, bash("node app.js"), "Exit code 1\nError: connect ECONNREFUSED"],
    [undefined, call("Read", { file_path: "503.txt" }), "File does not exist. 503"],
    ["no-tool", call("Foo"), "<tool_use_error>Error: No such tool available: Foo</tool_use_error>"],
    ["no-tool", call("foo"), "unsupported call: foo"],
    ["no-tool", call("foo"), "Tool 'foo' does not exist. Available tools are ..."],
    ["no-tool", call("foo"), "Unknown tool: foo"],
    [undefined, bash("foo"), "Exit code 127\nfoo: command not found"],
  ])("%s: %j %s", (trouble, one, error) => expect(ended(one, { status: "failed", error }).trouble).toBe(trouble));

  test("what went well has none", () => {
    expect(ended(call("WebFetch"), { output: "how to handle ECONNRESET" })).not.toHaveProperty("trouble");
  });
});

describe("whatever comes in", () => {
  const raw = fc.record({
    tool: fc.oneof(
      fc.constantFrom("Bash", "Edit", "Write", "apply_patch", "WebFetch", "mcp__a__b", "shell"),
      fc.string(),
    ),
    input: fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.record({ command: fc.oneof(fc.string({ maxLength: 200 }), fc.array(fc.string())) }),
      fc
        .array(
          fc.constantFrom(
            "npm test",
            "|",
            "||",
            "&&",
            "(",
            ")",
            "'",
            '"',
            "$(",
            "`",
            "<<E",
            "\n",
            "if",
            "fi",
            "{",
            "}",
            "&",
            ">",
            "x",
          ),
        )
        .map((parts) => ({ command: parts.join(" ") })),
    ),
  });
  const end = fc.record({
    status: fc.constantFrom("completed" as const, "failed" as const, "cancelled" as const),
    output: fc.jsonValue({ maxDepth: 4 }),
    error: fc.option(fc.string(), { nil: undefined }),
  });

  test("the facts are bounded and of their shape", () => {
    fc.assert(
      fc.property(raw, end, (one, told) => {
        const facts = { ...startFacts(one), ...ended(one, told) };
        for (const [field, value] of Object.entries(facts))
          expect([field, CALL_FACTS[field]?.(value)]).toEqual([field, true]);
        expect(JSON.stringify(facts).length).toBeLessThan(2500);
      }),
    );
  });

  test("the order of keys does not matter", () => {
    const turned = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(turned)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, inner]) => [key, turned(inner)]),
            )
          : value;
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (input) => {
        expect(startFacts(call("T", turned(input))).signature).toBe(startFacts(call("T", input)).signature);
      }),
    );
  });

  test("no secret is in any field", () => {
    const secret = "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-AbCdEfGhAA";
    const calls = [
      call("Read", { file_path: `/a/${secret}` }),
      bash(`echo ${secret} > ${secret}.md`),
      call("apply_patch", { changes: { [secret]: { add: { content: secret } } } }),
    ];
    for (const one of calls)
      expect(JSON.stringify({ ...startFacts(one), ...ended(one, { output: secret }) })).not.toContain("AbCdEfGhIjKl");
  });

  test("a circle, and a depth without end", () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(startFacts(call("T", circle)).signature).not.toBe("");
    expect(ended(call("T"), { output: circle })).toHaveProperty("outcome");
  });
});

describe("commands that only look", () => {
  const looks = (command: string) => startFacts({ tool: "Bash", input: { command } }).isLook === true;
  test.each([
    ["cat a.ts | head -20", true],
    ["cd src && rg -n foo . | wc -l", true],
    ["sed -n 1,200p a.ts", true],
    ["git -C repo --no-pager log -n 3", true],
    ["find . -name '*.ts'", true],
    ["sed -i s/a/b/ a.ts", false],
    ["cat a.ts > b.ts", false],
    ["find . -name '*.ts' -delete", false],
    ["git commit -m x", false],
    ["ls && npm test", false],
    ["node make.mjs", false],
    ["", false],
  ])("%s: %s", (command, expected) => {
    expect(looks(command)).toBe(expected);
  });
});
