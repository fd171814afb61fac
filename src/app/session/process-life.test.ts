import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isProcessThere, isSameProcess, processName, terminalOf, withoutStart } from "./process-life.js";

const HOST = hostname();
const BOOT = "1a2b3c4d-0000-4000-8000-000000000000";

interface Machine {
  readonly boot?: string;
  /** Process 42, when it is there. */
  readonly start?: string;
  readonly state?: string;
  readonly program?: string;
  readonly isUnreadable?: boolean;
}

/** What Linux shows of a machine. */
function proc({ boot = BOOT, start, state = "S", program = "claude", isUnreadable = false }: Machine): string {
  const folder = mkdtempSync(join(tmpdir(), "milepost-proc-"));
  for (const name of ["self", "sys/kernel/random"]) mkdirSync(join(folder, name), { recursive: true });
  if (boot !== "") writeFileSync(join(folder, "sys/kernel/random/boot_id"), `${boot}\n`);
  if (start === undefined) return folder;
  mkdirSync(join(folder, "42"));
  const between = Array.from({ length: 18 }, (_, at) => at).join(" ");
  if (!isUnreadable) writeFileSync(join(folder, "42/stat"), `42 (${program}) ${state} ${between} ${start} 9 9\n`);
  return folder;
}

const cases: { name: string; process: string; machine: Machine; then: boolean | undefined }[] = [
  { name: "the same one", process: `${HOST}:42+500.1a2b3c4d`, machine: { start: "500" }, then: true },
  {
    name: "the same one, as far as was guessed",
    process: `${HOST}:42+500.1a2b3c4d?`,
    machine: { start: "500" },
    then: true,
  },
  { name: "its number was given again", process: `${HOST}:42+500.1a2b3c4d`, machine: { start: "501" }, then: false },
  {
    name: "its number was given again after a reboot, as long after it as before",
    process: `${HOST}:42+500.ffffffff`,
    machine: { start: "500" },
    then: false,
  },
  { name: "gone", process: `${HOST}:42+500.1a2b3c4d`, machine: {}, then: false },
  {
    name: "ended, and not forgotten",
    process: `${HOST}:42+500.1a2b3c4d`,
    machine: { start: "500", state: "Z" },
    then: false,
  },
  {
    name: "a program with an odd name",
    process: `${HOST}:42+500.1a2b3c4d`,
    machine: { start: "500", program: "a) S 1 (b" },
    then: true,
  },
  { name: "no boot was told", process: `${HOST}:42+500`, machine: { start: "500" }, then: true },
  { name: "no boot is told", process: `${HOST}:42+500.1a2b3c4d`, machine: { start: "500", boot: "" }, then: true },
  {
    name: "not for us to look at",
    process: `${HOST}:42+500`,
    machine: { start: "500", isUnreadable: true },
    then: undefined,
  },
  {
    name: "an older version's name, and the number is in use",
    process: `${HOST}:42`,
    machine: { start: "500" },
    then: undefined,
  },
  { name: "an older version's guess", process: `${HOST}:42?`, machine: { start: "500" }, then: undefined },
  { name: "an older version's name, and the number is free", process: `${HOST}:42`, machine: {}, then: false },
  { name: "on another machine", process: "elsewhere:42+500.1a2b3c4d", machine: { start: "500" }, then: undefined },
  { name: "nobody told", process: "", machine: { start: "500" }, then: undefined },
  { name: "a newer version's name", process: `${HOST}:42+500.1a2b3c4d~x`, machine: { start: "500" }, then: undefined },
];

describe("is it there", () => {
  test.each(cases)("$name", ({ process, machine, then }) => {
    expect(isProcessThere(process, proc(machine))).toBe(then);
  });

  test("without /proc nobody can tell", () => {
    const nowhere = join(tmpdir(), "milepost-no-such-proc");
    expect(processName(42, nowhere)).toBe(`${HOST}:42`);
    expect(isProcessThere(`${HOST}:42+500.1a2b3c4d`, nowhere)).toBeUndefined();
  });

  test("a name says when the process started, where that can be had", () => {
    expect(processName(42, proc({ start: "500" }))).toBe(`${HOST}:42+500.1a2b3c4d`);
    expect(processName(42, proc({ start: "500", boot: "" }))).toBe(`${HOST}:42+500`);
    expect(processName(42, proc({}))).toBe(`${HOST}:42`);
  });

  test.skipIf(!existsSync("/proc/self/stat"))("a real process, from its start to its end", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    await once(child, "spawn");
    const name = processName(child.pid ?? 0);
    expect([isProcessThere(name), isProcessThere(processName(process.pid))]).toEqual([true, true]);
    expect(isProcessThere(name.replace("+", "+1"))).toBe(false);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isProcessThere(name)).toBe(false);
  });
});

describe("names", () => {
  test.each([
    ["m:1+500.1a2b3c4d", "m:1+500.1a2b3c4d", true],
    ["m:1+500.1a2b3c4d", "m:1+501.1a2b3c4d", false],
    ["m:1", "m:1+500.1a2b3c4d", true],
    ["m:1+500", "m:1", true],
    ["m:1+500?", "m:1?", true],
    ["m:1+500", "m:1?", false],
    ["m:1", "m:12", false],
    ["", "m:1+500", false],
  ])("%s and %s", (one, other, isSame) => expect(isSameProcess(one, other)).toBe(isSame));

  test.each([
    ["m:1+500.1a2b3c4d", "m:1"],
    ["m:1+500.1a2b3c4d?", "m:1?"],
    ["m+2:1", "m+2:1"],
    ["m:1", "m:1"],
  ])("%s without its start", (name, bare) => expect(withoutStart(name)).toBe(bare));
});

test.each<[name: string, stat: string, terminal: string | undefined]>([
  ["a pseudo-terminal", `${(136 << 8) + 7}`, "/dev/pts/7"],
  ["one beyond 256", `${0x10882c}`, "/dev/pts/300"],
  ["a console", `${(4 << 8) + 1}`, undefined],
  ["none", "0", undefined],
  ["nonsense", "x", undefined],
])("the terminal of a process: %s", (_name, stat, terminal) => {
  const folder = proc({});
  mkdirSync(join(folder, "42"));
  writeFileSync(join(folder, "42/stat"), `42 (a) b) S 1 1 1 ${stat} ${"0 ".repeat(14)}500 9\n`);
  expect(terminalOf(`${HOST}:42+500`, folder)).toBe(terminal);
  expect(terminalOf("elsewhere:42+500", folder)).toBeUndefined();
});
