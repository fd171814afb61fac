import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { projectFile } from "./file-in-project.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "milepost-project-file-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const git = (folder: string, ...words: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...words], { cwd: folder, stdio: "ignore" });

test("a file is the same in every worktree of its repository, and nowhere else", () => {
  const [main, tree, other, plain] = ["main", "tree", "other", "plain"].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const folder of [main, other, plain]) mkdirSync(join(folder, "src"), { recursive: true });
  for (const folder of [main, other]) git(folder, "init", "-q");
  git(main, "commit", "-q", "--allow-empty", "-m", "x");
  git(main, "worktree", "add", "-q", tree);
  symlinkSync(main, join(root, "link"));
  const one = projectFile(main, "src/a.ts");
  expect(one).toMatchObject({ path: "src/a.ts", project: expect.stringMatching(/^main-[0-9a-f]{8}$/) });
  for (const [folder, file] of [
    [main, join(main, "src", "a.ts")],
    [join(main, "src"), "a.ts"],
    [tree, "src/a.ts"],
    ["", join(tree, "src/../src/a.ts")],
    [join(root, "link"), "src/a.ts"],
  ] as const)
    expect([folder, projectFile(folder, file)]).toEqual([folder, one]);
  expect(projectFile(other, "src/a.ts")?.project).not.toBe(one?.project);
  expect(projectFile(plain, "src/a.ts")).toMatchObject({ path: join(plain, "src/a.ts").replaceAll("\\", "/") });
  expect([projectFile("", "a.ts"), projectFile(main, ""), projectFile(main, `${"x".repeat(301)}`)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
