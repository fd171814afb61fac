import { readFileSync } from "node:fs";

/** How far a process may be off before the machine is believed instead. Boot times are told in whole seconds. */
const TRUST_MS = 4000;
/** Somebody may set the clock; then the time of the start is another one. */
const KEPT_MS = 10_000;

let booted: { readonly at: number; readonly readAt: number } | undefined;

/**
 * The clock of the machine that the file is on, where it can be had: leases are judged by it, so a process whose own
 * clock was set apart (a container's start-up script, a tool for tests) must not end other people's. Else the process's
 * own.
 */
export function machineNow(own = Date.now()): number {
  try {
    const up = Number(readFileSync("/proc/uptime", "latin1").split(" ")[0]) * 1000;
    if (!booted || Math.abs(up - booted.readAt) > KEPT_MS) booted = { at: bootTime(), readAt: up };
    const machine = booted.at + up;
    return Number.isFinite(machine) && Math.abs(own - machine) > TRUST_MS ? Math.round(machine) : own;
  } catch {
    return own;
  }
}

function bootTime(): number {
  return Number(/^btime (\d+)$/m.exec(readFileSync("/proc/stat", "latin1"))?.[1] ?? Number.NaN) * 1000;
}
