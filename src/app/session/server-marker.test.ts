import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { markersFolder, markServer, sweepMarkers } from "./server-marker.js";

let home: string;
let environment: { readonly MILEPOST_HOME: string };
beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), "milepost-marker-")), "home");
  environment = { MILEPOST_HOME: home };
});
afterEach(() => rmSync(join(home, ".."), { recursive: true, force: true }));

const marks = () => readdirSync(markersFolder(environment)).sort();
const words = ["mcp"];
const only = { words, isOnly: true };

describe("the mark of a server", () => {
  test("is there until it is taken away, for nobody else to read", () => {
    const remove = markServer(environment, { client: 12, server: 34, ...only });
    expect(marks()).toEqual(["12-34"]);
    expect(statSync(join(home, "servers", "12-34")).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, "servers")).mode & 0o777).toBe(0o700);
    remove();
    expect(marks()).toEqual([]);
    remove();
  });

  test.each([
    ["the folder cannot be made", () => writeFileSync(join(home, "servers"), "")],
    ["a folder has the name", () => mkdirSync(join(home, "servers", "12-34"), { recursive: true })],
    ["a link leads nowhere", () => symlinkSync("/proc/none", join(home, "servers"))],
  ])("is missing without a word: %s", (_, prepare) => {
    mkdirSync(home);
    prepare();
    expect(markServer(environment, { client: 12, server: 34, ...only })).not.toThrow();
    expect(() => sweepMarkers(environment, { client: 12, server: 34, ...only }, () => false)).not.toThrow();
  });
});

describe("what others left", () => {
  const own = { client: 12, server: 34, ...only };
  test.each([
    ["a server of another client that is there", { client: 5, server: 6, ...only }, [5, 6, 12, 34], true],
    ["its client has ended", { client: 5, server: 6, ...only }, [6, 12, 34], false],
    ["it was killed, and its client is there", { client: 5, server: 6, ...only }, [5, 12, 34], true],
    ["the one whose place this server takes", { client: 12, server: 6, ...only }, [12, 34], false],
    ["another server of this client that lives", { client: 12, server: 6, ...only }, [6, 12, 34], true],
    [
      "another kind of server that was killed",
      { client: 12, server: 6, words: ["--tasks"], isOnly: true },
      [12, 34],
      true,
    ],
  ])("%s", (_, other, running, isKept) => {
    markServer(environment, other);
    markServer(environment, own);
    sweepMarkers(environment, own, (number) => running.includes(number));
    const kept = [`${other.client}-${other.server}`, "12-34"].sort();
    expect(marks()).toEqual(isKept ? kept : ["12-34"]);
  });

  test("one that was killed, where a client has several alike", () => {
    markServer(environment, { client: 12, server: 6, words, isOnly: false });
    markServer(environment, { ...own, isOnly: false });
    sweepMarkers(environment, { ...own, isOnly: false }, (number) => number !== 6);
    expect(marks()).toEqual(["12-34", "12-6"]);
  });

  test("files that are no marks stay", () => {
    markServer(environment, own);
    for (const name of ["README", "0-1", "1-", "x5-6", "5-6.json"]) writeFileSync(join(home, "servers", name), "");
    sweepMarkers(environment, own, () => false);
    expect(marks()).toEqual(["0-1", "1-", "12-34", "5-6.json", "README", "x5-6"]);
  });
});
