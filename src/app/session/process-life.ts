import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * `machine:number+start.boot`; from `+` on only on Linux, and not in names that older versions wrote. `?`: guessed. The
 * start is what the kernel counts from its own start (`/proc/PID/stat`): no clock that could be set, or a container's.
 */
const NAME = /^(?<machine>.*):(?<number>\d+)(?:\+(?<start>\d+)(?:\.(?<boot>[0-9a-f]{8}))?)?\??$/s;

const PROC = "/proc";

/** Numbers are given again, after a reboot or in a new container within minutes: the start tells one from the next. */
export function processName(number: number, proc: string = PROC): string {
  const start = statOf(number, proc)?.start;
  const boot = start === undefined ? undefined : bootOf(proc);
  const mark = start === undefined ? "" : `+${start}${boot === undefined ? "" : `.${boot}`}`;
  return `${hostname()}:${number}${mark}`;
}

/** Machine and number alone: ids of calls are made of it, and whoever looks for one may be of an older version. */
export function withoutStart(name: string): string {
  return name.replace(/(:\d+)\+[\d.a-f]+(\??)$/, "$1$2");
}

/** By everything that both of them tell. */
export function isSameProcess(one: string, other: string): boolean {
  if (one === other) return true;
  const isBare = one === withoutStart(one) || other === withoutStart(other);
  return isBare && withoutStart(one) === withoutStart(other);
}

/** Its number, where it is a process of this machine. */
export function numberHere(name: string): number | undefined {
  const { machine, number } = NAME.exec(name)?.groups ?? {};
  return machine === hostname() ? Number(number) : undefined;
}

/** Undefined on another machine, without /proc, or when the name tells no start and the number is in use. */
export function isProcessThere(name: string, proc: string = PROC): boolean | undefined {
  const { machine, number, start, boot } = NAME.exec(name)?.groups ?? {};
  if (machine !== hostname() || !existsSync(`${proc}/self`)) return undefined;
  if (!existsSync(`${proc}/${number}`)) return false;
  const now = bootOf(proc);
  if (boot !== undefined && now !== undefined && boot !== now) return false;
  const found = statOf(Number(number), proc);
  if (found?.hasEnded || (found && start !== undefined && found.start !== start)) return false;
  return found && start !== undefined ? true : undefined;
}

/** Ended, and only not yet forgotten by its parent: in a container there may be none that does. */
const ENDED = ["Z", "X"];

interface Stat {
  readonly start: string;
  readonly hasEnded: boolean;
  /** The number of its terminal; 0 where it has none. */
  readonly terminal: number;
  /** The number of the process that started it. */
  readonly parent: number;
}

function statOf(number: number, proc: string): Stat | undefined {
  const text = textOf(`${proc}/${number}/stat`);
  // The second field is the program's name, and may hold brackets and spaces itself; the terminal is the 7th, the start
  // the 22nd.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", start = ""] = [fields[0], fields[19]];
  return /^\d+$/.test(start)
    ? { start, hasEnded: ENDED.includes(state), terminal: Number(fields[4]), parent: Number(fields[1]) }
    : undefined;
}

/** More programs in between nobody starts: a shell, a package runner, a version manager. */
const MOST_ABOVE = 8;

/** A process and those that it was started by, the nearest first; only itself where there is no /proc. */
export function withAncestors(name: string, proc: string = PROC): readonly string[] {
  const names = [name];
  let number = numberHere(name);
  while (number !== undefined && names.length <= MOST_ABOVE) {
    number = statOf(number, proc)?.parent || undefined;
    if (number !== undefined && number > 1) names.push(processName(number, proc));
  }
  return names;
}

/** Major numbers that Linux gives to pseudo-terminals, 256 terminals each. */
const PSEUDO = { first: 136, last: 143 };

/** The pseudo-terminal that a process of this machine runs in, `/dev/pts/3`; undefined where it has none. */
export function terminalOf(name: string, proc: string = PROC): string | undefined {
  const number = numberHere(name);
  const { terminal = 0 } = (number === undefined ? undefined : statOf(number, proc)) ?? {};
  const major = (terminal >> 8) & 0xfff;
  const minor = (terminal & 0xff) | ((terminal >> 12) & 0xfff00);
  const isPseudo = major >= PSEUDO.first && major <= PSEUDO.last;
  return isPseudo ? `/dev/pts/${(major - PSEUDO.first) * 256 + minor}` : undefined;
}

function bootOf(proc: string): string | undefined {
  return /^[0-9a-f]{8}/.exec(textOf(`${proc}/sys/kernel/random/boot_id`))?.[0];
}

/** How a process was started, word for word. Linux shows it; elsewhere, and on another machine, nothing is known. */
export function commandOf(name: string, proc: string = PROC): readonly string[] {
  const { machine, number } = NAME.exec(name)?.groups ?? {};
  return machine === hostname() ? textOf(`${proc}/${number}/cmdline`).split("\0").slice(0, -1) : [];
}

/** Whether a person types what it reads; undefined where nothing shows it. */
export function isInputTyped(name: string, proc: string = PROC): boolean | undefined {
  const { machine, number } = NAME.exec(name)?.groups ?? {};
  if (machine !== hostname()) return undefined;
  try {
    return /^\/dev\/(?:pts\/|tty|console)/.test(readlinkSync(`${proc}/${number}/fd/0`));
  } catch {
    return undefined;
  }
}

function textOf(file: string): string {
  try {
    // Not as latin1: Node reads only this one in a single call, and a hook is waited for.
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
