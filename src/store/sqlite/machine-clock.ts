import { readFileSync } from "node:fs";

/** Two accounts of the time that differ by less agree: boot times are told in whole seconds. */
const TRUST_MS = 4000;
/** Starts of processes are told in hundredths of a second, whatever the kernel's own tick is. */
const TICK_MS = 10;
/** How long a look at the kernel's account holds: one takes as long as a write to the page cache. */
const LOOK_MS = 1000;
/** A process that asks no more often ends soon: for a hook it takes longer to load the second clock. */
const FEW = 4;
/** A process's two clocks that part by more were set, or the machine slept. */
const STEP_MS = 100;

/** What is asked of the system; tests bring their own. */
export interface System {
  readonly now: () => number;
  /** Milliseconds since this process began. */
  readonly age: () => number;
  readonly read: (path: string) => string;
}

const THIS_SYSTEM: System = {
  now: () => Date.now(),
  age: () => performance.now(),
  // Not as latin1: Node reads only this one in a single call.
  read: (path) => readFileSync(path, "utf8"),
};

/**
 * The clock of the machine that the file is on: leases are judged by it, so a process whose own clock was set apart
 * must not end other people's. A process is overruled only when the kernel contradicts it twice: in LXC, Incus and
 * Proxmox containers /proc/uptime counts from the container's start, `btime` from the machine's. When this process
 * began, and how long ago, tells whether both count from the same start.
 */
export function machineClock(system: System = THIS_SYSTEM): () => number {
  const told = kernelClock(system);
  let looked = { own: Number.NaN, age: Number.NaN, apart: 0 };
  let asked = 0;
  return () => {
    asked += 1;
    const own = system.now();
    const age = asked > FEW ? system.age() : Number.NaN;
    const passed = age - looked.age;
    const isHeld = passed >= 0 && passed < LOOK_MS && Math.abs(own - looked.own - passed) < STEP_MS;
    if (!isHeld) looked = { own, age, apart: told(own) - own };
    return own + looked.apart;
  };
}

function kernelClock(system: System): (own: number) => number {
  let booted = Number.NaN;
  // Asked once: `age` leaves out the time that the machine was suspended.
  let isOneStart: boolean | undefined;
  return (own) => {
    if (isOneStart === false) return own;
    try {
      const up = uptime(system);
      if (isNear(own, booted + up)) return own;
      // Read again before anybody is overruled: when the machine's clock is set, its boot time moves with it.
      booted = bootTime(system);
      if (isNear(own, booted + up)) return own;
      isOneStart ??= isNear(processStart(system) + system.age(), up);
      return isOneStart && Number.isFinite(booted) ? Math.round(booted + up) : own;
    } catch {
      return own;
    }
  };
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= TRUST_MS;
}

function uptime({ read }: System): number {
  return Number(read("/proc/uptime").split(" ")[0]) * 1000;
}

function bootTime({ read }: System): number {
  return Number(/^btime (\d+)$/m.exec(read("/proc/stat"))?.[1] ?? Number.NaN) * 1000;
}

/** Milliseconds after the boot of the machine; containers do not change it. */
function processStart({ read }: System): number {
  const line = read("/proc/self/stat");
  // The name of a program may hold anything; what counts stands behind its bracket.
  return Number(line.slice(line.lastIndexOf(")") + 2).split(" ")[19]) * TICK_MS;
}
