import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { type RunShort, runShort } from "../watching/short-program.js";
import { BranchFacts } from "./branch-facts.js";
import { diffOf } from "./diff-of.js";

const root = mkdtempSync(join(tmpdir(), "milepost-git-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const environment = {
  PATH: process.env.PATH,
  HOME: root,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.com",
};
const git = (folder: string, ...words: string[]) => {
  const { status, stdout, stderr } = spawnSync("git", words, { cwd: folder, env: environment, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`);
  return stdout;
};
const write = (folder: string, file: string, text: string) => writeFileSync(join(folder, file), text);

function repository(name: string): string {
  const folder = join(root, name);
  mkdirSync(join(folder, "sub"), { recursive: true });
  git(folder, "init", "-q", "-b", "main");
  write(folder, "a.txt", "one\n");
  write(folder, "sub/b.txt", "two\n");
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "first");
  return folder;
}

/** A program that stands before Git on PATH. */
function stub(name: string, text: string) {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "git"), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, "git"), 0o755);
  return { ...environment, PATH: `${folder}:/usr/bin:/bin` };
}

describe("branches", () => {
  const plain = repository("plain");
  const copy = join(root, "copy");
  git(root, "clone", "-q", plain, copy);
  write(copy, "c.txt", "c\n");
  git(copy, "add", ".");
  git(copy, "commit", "-qm", "ours");
  write(plain, "a.txt", "theirs\n");
  git(plain, "commit", "-qam", "theirs");
  git(plain, "commit", "-q", "--allow-empty", "-m", "theirs too");
  git(copy, "fetch", "-q");
  const none = join(root, "none");
  mkdirSync(none);
  git(plain, "worktree", "add", "-q", "--detach", join(root, "detached"));

  /** Facts with a clock, and how many processes they started at once and in all. */
  function facts(start: RunShort = runShort, given: Readonly<Record<string, string | undefined>> = environment) {
    const clock = { at: 1_000_000 };
    const seen = { now: 0, most: 0, all: 0, changes: 0 };
    const branches = new BranchFacts({
      environment: given,
      now: () => clock.at,
      onChange: () => {
        seen.changes += 1;
      },
      start: async (asked) => {
        seen.all += 1;
        seen.now += 1;
        seen.most = Math.max(seen.most, seen.now);
        const run = await start(asked);
        seen.now -= 1;
        return run;
      },
    });
    return { branches, clock, seen };
  }

  test("ahead and behind; without an upstream no process is needed", async () => {
    const { branches, clock, seen } = facts();
    expect(branches.get(copy)).toBeUndefined();
    const folders = [copy, join(copy, "sub"), plain, none, join(root, "detached"), join(root, "missing"), ""];
    branches.refresh(folders);
    const state = { branch: "main", ahead: 1, behind: 2, upstream: "origin/main" };
    await vi.waitFor(() =>
      expect(folders.map((folder) => branches.get(folder))).toEqual([
        state,
        state,
        { branch: "main", ahead: 0, behind: 0, upstream: null },
        undefined,
        undefined,
        undefined,
        undefined,
      ]),
    );
    expect([seen.all, seen.changes]).toEqual([2, 3]);
    // Soon again: nothing is asked. Later: asked, and nothing new.
    clock.at += 29_000;
    branches.refresh(folders);
    expect(seen.all).toBe(2);
    clock.at += 1000;
    branches.refresh([copy]);
    await vi.waitFor(() => expect([seen.all, seen.now, seen.changes]).toEqual([3, 0, 3]));
  });

  test("two at once, and whom nobody sees any more is not asked for", async () => {
    const open: (() => void)[] = [];
    const { branches, seen } = facts(async () => {
      await new Promise<void>((resolve) => open.push(resolve));
      return { how: "ended", code: 0, said: "origin/main\0ahead 3\n", isCut: false };
    });
    const links = Array.from({ length: 6 }, (_, at) => join(root, `link${at}`));
    for (const link of links) symlinkSync(copy, link);
    branches.refresh(links);
    await vi.waitFor(() => expect(seen.all).toBe(2));
    branches.refresh(links.slice(0, 3));
    while (seen.all < 3 || seen.now > 0) {
      open.pop()?.();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect([seen.most, seen.all]).toEqual([2, 3]);
    expect(branches.get(links[0] ?? "")).toEqual({ branch: "main", ahead: 3, behind: 0, upstream: "origin/main" });
    expect(branches.get(links[4] ?? "")).toBeUndefined();
  });

  test("no Git on the machine", async () => {
    const { branches, clock, seen } = facts(runShort, { ...environment, PATH: none });
    branches.refresh([copy]);
    await vi.waitFor(() => expect([seen.all, seen.now]).toEqual([1, 0]));
    clock.at += 60_000;
    branches.refresh([copy]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([branches.get(copy), seen.all]).toEqual([undefined, 1]);
  });

  test("a slow Git leaves what is known", async () => {
    const answers = [{ how: "ended", code: 0, said: "origin/main\0ahead 3\n", isCut: false }, { how: "late" }] as const;
    const { branches, clock, seen } = facts(async () => answers[seen.all - 1] ?? { how: "late" });
    for (let at = 0; at < 2; at += 1) {
      branches.refresh([copy]);
      await vi.waitFor(() => expect(branches.get(copy)?.ahead).toBe(3));
      clock.at += 30_000;
    }
    expect(seen.all).toBe(2);
  });
});

describe("diffs", () => {
  const folder = repository("diffs");
  const diff = async (files: readonly string[], given: object = {}, where = folder) => {
    const result = await diffOf(where, { files, environment, ...given });
    return result.ok ? result.value : result.error.code;
  };

  test("what is changed and what is new, by whatever name", async () => {
    write(folder, "a.txt", "one\nmore\n");
    write(folder, "sub/new *.txt", "x\ny");
    const all = await diff(["a.txt", join(folder, "sub/new *.txt"), "sub/../a.txt"]);
    expect(all.match(/^diff --git .*$/gm)).toEqual([
      "diff --git a/a.txt b/a.txt",
      "diff --git a/sub/new *.txt b/sub/new *.txt",
    ]);
    expect(all).toContain("\n+more\n");
    expect(all).toContain("--- /dev/null\n+++ b/sub/new *.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n");
    expect(await diff(["../a.txt"], {}, join(folder, "sub"))).toContain("+more");
    expect(await diff(["sub/b.txt"])).toBe("");
    // A pattern is only a name.
    expect(await diff(["*"])).toBe("");
    expect(await diff(["--output=stolen", "-p"])).toBe("");
    expect(existsSync(join(folder, "stolen"))).toBe(false);
  });

  test("what is outside is named, and not shown", async () => {
    writeFileSync(join(root, "secret"), "hidden\n");
    symlinkSync(root, join(folder, "out"));
    const text = await diff(["../secret", join(root, "secret"), "out/secret", "a.txt"]);
    expect(text).toContain(`Not shown, outside of ${folder}: ../secret, ${join(root, "secret")}, out/secret\n`);
    expect(text).not.toContain("hidden");
    expect(await diff(["/etc/passwd"])).toBe(`Not shown, outside of ${folder}: /etc/passwd\n`);
  });

  test("commits since a time, where nothing is open", async () => {
    const other = repository("commits");
    write(other, "a.txt", "three\n");
    git(other, "commit", "-qam", "second");
    const since = Date.now() - 3_600_000;
    expect(await diff(["a.txt"], {}, other)).toBe("");
    const text = await diff(["a.txt"], { since }, other);
    expect([text.includes("second"), text.includes("+three"), text.includes("b.txt")]).toEqual([true, true, false]);
    expect(await diff(["a.txt"], { since: Date.now() + 3_600_000 }, other)).toBe("");
  });

  test("before the first commit every file is new", async () => {
    const fresh = join(root, "fresh");
    mkdirSync(fresh);
    git(fresh, "init", "-q");
    write(fresh, "a", "1\n");
    git(fresh, "add", "a");
    expect(await diff(["a"], { since: 0 }, fresh)).toContain("+1\n");
  });

  test("a large one is cut", async () => {
    const large = repository("large");
    write(large, "a.txt", `${"line of a text\n".repeat(200_000)}`);
    const text = await diff(["a.txt"], {}, large);
    expect([text.length < 2_000_100, text.endsWith("(cut here: the diff is larger)\n")]).toEqual([true, true]);
  });

  test("no folder, no repository, no Git, a slow Git", async () => {
    const none = join(root, "no-repository");
    mkdirSync(none);
    expect(await diff(["a"], {}, join(root, "nowhere"))).toBe("no-folder");
    expect(await diff(["a"], {}, "relative")).toBe("no-folder");
    expect(await diff(["a"], {}, none)).toBe("no-repository");
    expect(await diff(["a.txt"], { environment: { ...environment, PATH: none } })).toBe("no-diff");
    const start: RunShort = (asked) => runShort({ ...asked, limitMs: 100 });
    const begun = Date.now();
    expect(await diff(["a.txt"], { environment: stub("slow", "exec sleep 20"), start })).toBe("no-diff");
    expect(Date.now() - begun).toBeLessThan(5000);
  });
});

describe("a hostile repository", () => {
  const folder = repository("hostile");
  const mark = join(root, "ran");
  const evil = join(root, "evil");
  const signature = "-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n";
  const signs = `cat > /dev/null\nprintf '\\n[GNUPG:] SIG_CREATED \\n' >&2\nprintf -- '${signature}'`;
  writeFileSync(join(root, "signer"), `#!/bin/sh\n${signs}\n`, { mode: 0o755 });
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> '${mark}'\n`, { mode: 0o755 });
  // A signed commit, a changed file with filters and drivers, hooks, a file system monitor, a clone with a hole in it.
  write(folder, "clean.txt", "clean\n");
  git(folder, "add", ".");
  git(folder, "-c", `gpg.program=${join(root, "signer")}`, "commit", "-q", "-S", "-m", "signed");
  write(folder, ".gitattributes", "a.txt filter=evil diff=evil\nsub/b.txt filter=two diff=evil\n");
  git(folder, "update-ref", "refs/remotes/origin/main", "HEAD~1");
  const settings: Readonly<Record<string, string>> = {
    "core.fsmonitor": evil,
    "core.pager": evil,
    "core.sshCommand": evil,
    "core.hooksPath": join(folder, "hooks"),
    "core.alternateRefsCommand": evil,
    "diff.external": evil,
    "diff.evil.command": evil,
    "diff.evil.textconv": evil,
    "filter.evil.clean": evil,
    "filter.evil.smudge": evil,
    "filter.evil.required": "true",
    "filter.two.process": evil,
    "log.showSignature": "true",
    "gpg.program": evil,
    "branch.main.remote": "origin",
    "branch.main.merge": "refs/heads/main",
    "remote.origin.url": folder,
    "remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*",
    "remote.origin.uploadpack": evil,
    "remote.origin.promisor": "true",
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": "origin",
  };
  mkdirSync(join(folder, "hooks"));
  for (const hook of ["post-index-change", "reference-transaction", "post-checkout"])
    symlinkSync(evil, join(folder, "hooks", hook));
  const lines = Object.entries(settings).map(([name, value]) => {
    const [section, ...more] = name.split(".");
    const key = more.pop();
    return `[${section}${more.length === 0 ? "" : ` "${more.join(".")}"`}]\n${key} = ${value}\n`;
  });
  appendFileSync(join(folder, ".git", "config"), lines.join(""));
  write(folder, "a.txt", "changed\n");
  write(folder, "sub/b.txt", "changed\n");
  rmSync(mark, { force: true });
  const files = ["a.txt", "sub/b.txt"];

  test("starts nothing of its own", async () => {
    const diff = await diffOf(folder, { files, environment, since: 0 });
    expect(diff.ok && diff.value.match(/^\+changed$/gm)).toEqual(["+changed", "+changed"]);
    const log = await diffOf(folder, { files: ["clean.txt"], environment, since: 0 });
    expect(log.ok && [log.value.includes("signed"), log.value.includes("+clean")]).toEqual([true, true]);
    const branches = new BranchFacts({ environment });
    branches.refresh([folder]);
    await vi.waitFor(() => expect(branches.get(folder)?.ahead).toBe(1));
    expect(existsSync(mark)).toBe(false);
  });

  test("also with a commit that it does not have: nothing is fetched", async () => {
    git(folder, "-c", "core.fsmonitor=false", "update-ref", "refs/remotes/origin/main", "HEAD");
    rmSync(mark, { force: true });
    writeFileSync(join(folder, ".git", "refs", "remotes", "origin", "main"), `${"1".repeat(40)}\n`);
    const asked = vi.fn(runShort);
    new BranchFacts({ environment, start: asked }).refresh([folder]);
    await vi.waitFor(() => expect(asked.mock.settledResults[0]?.type).toBe("fulfilled"));
    expect(existsSync(mark)).toBe(false);
  });

  test("and would start all of that, asked in the usual way", () => {
    const usual = (...words: string[]) => {
      rmSync(mark, { force: true });
      spawnSync("git", words, { cwd: folder, env: environment });
      return existsSync(mark);
    };
    expect([
      usual("diff", "HEAD"),
      usual("-c", "core.fsmonitor=false", "-c", "diff.external=", "diff", "--no-ext-diff", "--no-textconv", "HEAD"),
      usual("-c", "core.fsmonitor=false", "log", "-1"),
      usual("for-each-ref", "--format=%(upstream:track)", "refs/heads/main"),
    ]).toEqual([true, true, true, true]);
  });
});
