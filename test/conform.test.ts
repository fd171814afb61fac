import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWorker } from "./build.setup.js";
import { conformFile } from "./conform/runner.js";
import { sized } from "./sizes.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const vectors = join(root, "test", "vectors");
const files = readdirSync(vectors).filter((name) => name.endsWith(".json"));
const scratch = mkdtempSync(join(tmpdir(), "milepost-conform-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Built once: to read the sources takes a second each time. */
const program = join(root, ".cache", "conform.mjs");

function conform(...paths: readonly string[]) {
  const { status, stdout } = spawnSync(process.execPath, [program, ...paths], {
    cwd: root,
    encoding: "utf8",
  });
  return { exit: status, last: stdout.trimEnd().split("\n").at(-1), output: stdout };
}

describe("vectors", () => {
  test.each(files)("%s: all cases, none skipped", async (name) => {
    const { cases } = JSON.parse(readFileSync(join(vectors, name), "utf8"));
    const report = await conformFile(join(vectors, name));
    expect(report.failures).toEqual([]);
    expect(report.passed).toBe(cases.length);
  });
});

/** Push takes each seventh one: no case has as many ways, so that over the cases every way is taken. */
const pushSize = <T>(wrong: readonly T[]) => wrong.filter((_, at) => at % sized(7, 1) === 0);

interface Expectation {
  text: string;
  isError?: boolean;
  data?: object;
}

/** Every way in which one expectation can be made wrong. */
const CHANGES: Readonly<Record<string, (expectation: Expectation) => unknown>> = {
  "another text": (one) => ({ ...one, text: `x${one.text}` }),
  "another end of the text": (one) => ({ ...one, text: `${one.text}x` }),
  "no text": ({ text: _, ...one }) => one,
  "another isError": (one) => (one.isError === undefined ? { ...one, text: "" } : { ...one, isError: !one.isError }),
  "other data": (one) => (one.data ? { ...one, data: spoiled(one.data) } : { text: 1 }),
  nothing: () => null,
};

describe("the runner notices a changed expectation", () => {
  test.each(["claude-todo.json", "codex-plan.json", "claude-tasks.json"])("those of %s, in each way", async (name) => {
    const { subject, cases } = JSON.parse(readFileSync(join(vectors, name), "utf8"));
    const path = join(scratch, name);
    const wrong = cases.flatMap((one: { expect: Expectation[] }) =>
      one.expect.flatMap((expectation, call) =>
        Object.values(CHANGES).map((change) => ({
          ...one,
          expect: one.expect.with(call, change(expectation) as never),
        })),
      ),
    );
    expect(wrong.length).toBeGreaterThan(cases.length * 6);
    const some = pushSize(wrong);
    writeFileSync(path, JSON.stringify({ subject, cases: some }));
    expect(await conformFile(path)).toMatchObject({ passed: 0, failed: some.length });
  });

  test("a parse error may come without its position, but not with a wrong one", async () => {
    const copy = JSON.parse(readFileSync(join(vectors, "codex-plan.json"), "utf8"));
    const [, , third] = copy.cases[0].expect;
    const path = join(scratch, "position.json");
    const failed = async (text: string) => {
      third.text = text;
      writeFileSync(path, JSON.stringify(copy));
      return (await conformFile(path)).failed;
    };
    const { text } = third;
    expect(await failed(text)).toBe(0);
    expect(await failed(text.replace(/ at line.*/, ""))).toBe(0);
    expect(await failed(text.replace(/\d+$/, "1"))).toBe(1);
  });

  test("a missing or a further expectation is a failure too", async () => {
    const copy = JSON.parse(readFileSync(join(vectors, "codex-plan.json"), "utf8"));
    copy.cases[0].expect.pop();
    copy.cases[1].expect.push({ text: "Plan updated" });
    writeFileSync(join(scratch, "count.json"), JSON.stringify(copy));
    expect((await conformFile(join(scratch, "count.json"))).failed).toBe(2);
  });
});

/** The same for subjects whose expectations are not `{text, isError, data}`: every part of one, made wrong. */
function wrongWays(expectation: Readonly<Record<string, unknown>>): readonly unknown[] {
  const words = Object.entries(expectation).filter(([, value]) => typeof value === "string");
  const wrong = Object.fromEntries(words.map(([key, value]) => [key, `${value}x`]));
  return [
    null,
    { ...expectation, ok: !expectation.ok },
    ...(words.length > 0 ? [{ ...expectation, ...wrong }] : []),
    ...["response", "stored"].flatMap((key) => (key in expectation ? [{ ...expectation, [key]: [1] }] : [])),
  ];
}

describe("the runner notices one in another shape too", () => {
  test.each(["nexo.json", "nexo-taskflow.json", "gencode.json"])("those of %s, in each way", async (name) => {
    const { subject, cases } = JSON.parse(readFileSync(join(vectors, name), "utf8"));
    const path = join(scratch, name);
    const wrong = cases.flatMap((one: { expect: Record<string, unknown>[] }) =>
      one.expect.flatMap((expectation, call) =>
        wrongWays(expectation).map((changed) => ({ ...one, expect: one.expect.with(call, changed as never) })),
      ),
    );
    expect(wrong.length).toBeGreaterThan(cases.length * 3);
    const some = pushSize(wrong);
    writeFileSync(path, JSON.stringify({ subject, cases: some }));
    expect(await conformFile(path)).toMatchObject({ passed: 0, failed: some.length });
  });
});

/** What a case of each file expects, by its fields; the others are what is asked. oh-my-pi.json has its own test. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  "oh-my-pi-validation.json": ["ok", "normalised", "text"],
  "oh-my-pi-slash.json": ["said", "phases", "customEntries", "injectedMessages", "written"],
  "oh-my-pi-transcript.json": ["latest", "resumed"],
  "oh-my-pi-render.json": ["plain", "marked", "values", "visible", "hiddenOpenCount"],
  "hermes.json": ["expect", "injection"],
  "hermes-hydration.json": ["restored_2026_08"],
};

/** The same value, but for its last leaf. */
function spoiled(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [1] : value.with(-1, spoiled(value.at(-1)));
  if (typeof value === "object" && value !== null) {
    const last = Object.keys(value).at(-1);
    return last === undefined ? { x: 1 } : { ...value, [last]: spoiled((value as Record<string, unknown>)[last]) };
  }
  if (typeof value === "string") return `${value}x`;
  return typeof value === "number" ? value + 1 : value === null ? "x" : !value;
}

describe("the runner notices each field of an expectation", () => {
  const fieldsOf = (name: string, { kind }: { kind?: string }) => {
    if (name !== "oh-my-pi-markdown.json") return EXPECTED[name] ?? [];
    return kind === "parse" ? ["phases", "errors", "reserialised"] : ["markdown", "parsedBack", "roundTrips"];
  };

  test.each([...Object.keys(EXPECTED), "oh-my-pi-markdown.json"])("%s", async (name) => {
    const { subject, cases } = JSON.parse(readFileSync(join(vectors, name), "utf8"));
    const wrong = cases.flatMap((one: Record<string, unknown>) =>
      fieldsOf(name, one).flatMap((field) => (field in one ? [{ ...one, [field]: spoiled(one[field]) }] : [])),
    );
    const path = join(scratch, name);
    const some = pushSize(wrong);
    writeFileSync(path, JSON.stringify({ subject, cases: some }));
    expect(wrong.length).toBeGreaterThanOrEqual(cases.length);
    expect(await conformFile(path)).toMatchObject({ passed: 0, failed: some.length });
  });
});

test("where a part of an error is enough, ours is still the whole of it", async () => {
  const { subject, cases } = JSON.parse(readFileSync(join(vectors, "gencode.json"), "utf8"));
  let errors = 0;
  for (const { expect: expectations } of cases)
    for (const expectation of expectations.filter(({ error }: { error?: string }) => error !== undefined)) {
      delete expectation.errorContains;
      errors += 1;
    }
  writeFileSync(join(scratch, "whole.json"), JSON.stringify({ subject, cases }));
  expect(errors).toBeGreaterThan(10);
  expect(await conformFile(join(scratch, "whole.json"))).toMatchObject({ failures: [] });
});

describe("npm run conform", () => {
  beforeAll(() => buildWorker("test/conform/main.ts", program));

  test("counts, and exits 0 when all hold", () => {
    const ran = conform(join(vectors, "claude-todo.json"), join(vectors, "codex-plan.json"));
    expect(ran).toMatchObject({ exit: 0, output: "20 passed, 0 failed\n" });
  });

  test("prints a diff and exits 1 when one fails; an unknown subject fails every case", () => {
    const copy = JSON.parse(readFileSync(join(vectors, "codex-plan.json"), "utf8"));
    copy.cases[0].expect[0].text = "Plan changed";
    writeFileSync(join(scratch, "changed.json"), JSON.stringify(copy));
    writeFileSync(
      join(scratch, "unknown.json"),
      JSON.stringify({ subject: "x/y", cases: [{ name: "a" }, { name: "b" }] }),
    );
    const ran = conform(join(scratch, "changed.json"), join(scratch, "unknown.json"));
    expect(ran).toMatchObject({ exit: 1, last: "9 passed, 3 failed" });
    expect(ran.output).toContain('- {\n    -   "text": "Plan changed"');
    expect(ran.output).toContain('+   "text": "Plan updated"');
  });

  test("exits 2 when a file is none", () => {
    expect(conform(join(scratch, "absent.json"))).toMatchObject({ exit: 2 });
  });
});
