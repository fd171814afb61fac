import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listName } from "./list-name.js";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "milepost-lists-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
}

function nameIn(folder: string, environment: Record<string, string> = {}): string {
  mkdirSync(join(root, folder), { recursive: true });
  const name = listName(undefined, environment, join(root, folder));
  return name.ok ? name.value : name.error.code;
}

describe("the list of a folder", () => {
  test("all worktrees of a repository share one, and so do the folders in them", () => {
    put("app/.git/HEAD", "ref: refs/heads/main\n");
    put("app/.git/worktrees/fix/commondir", "../..\n");
    put("elsewhere/fix/.git", `gitdir: ${join(root, "app/.git/worktrees/fix")}\n`);
    expect(nameIn("app")).toMatch(/^app-[0-9a-f]{8}$/);
    expect(nameIn("app/src/deep")).toBe(nameIn("app"));
    expect(nameIn("elsewhere/fix")).toBe(nameIn("app"));
    expect(nameIn("elsewhere/fix/src")).toBe(nameIn("app"));
  });

  test("two that are called the same are two", () => {
    put("one/app/.git/HEAD", "");
    put("two/app/.git/HEAD", "");
    expect(nameIn("one/app")).not.toBe(nameIn("two/app"));
  });

  test.each([
    "git@example.com:team/tool.git",
    "https://example.com/team/tool",
    "https://someone:secret@example.com/team/tool.git",
    "ssh://git@EXAMPLE.com:22/team/tool.git/",
  ])("clones of %s on several machines share one", (url) => {
    const name = `clone-${url.replace(/\W/g, "")}`;
    put(
      `${name}/.git/config`,
      `[core]\n\tbare = false\n[remote "origin"]\n\tfetch = +refs\n\turl = ${url}\n[branch "main"]\n`,
    );
    put("first/.git/config", '[remote "origin"]\n\turl = git@example.com:team/tool.git\n');
    expect(nameIn(name)).toBe(nameIn("first"));
    expect(nameIn(name)).toMatch(/^tool-[0-9a-f]{8}$/);
  });

  test.each(["/srv/git/tool.git", "../tool", "file:///srv/tool.git", ""])(
    "an origin that is only a folder (%j) names nothing",
    (url) => {
      const name = `local-x${url.replace(/\W/g, "")}`;
      put(`${name}/.git/config`, `[remote "origin"]\n\turl = ${url}\n`);
      expect(nameIn(name)).toMatch(new RegExp(`^${name}-[0-9a-f]{8}$`));
    },
  );

  test("what is asked for comes first, and has to be an id", () => {
    expect(listName("mine", { MILEPOST_LIST: "other" }, root)).toEqual({ ok: true, value: "mine" });
    expect(nameIn("app", { MILEPOST_LIST: "other" })).toBe("other");
    for (const bad of ["../up", "a/b", "", "a\u0000", "-x"])
      expect(listName(bad, {}, root)).toMatchObject({ ok: false, error: { code: "bad-id" } });
  });
});
