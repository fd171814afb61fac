// Stands in for node:os in what a hook loads. The real one is compiled at each start, and its `userInfo` looks a name up
// in the system's list of users, of which only the number is needed.
import { readFileSync } from "node:fs";

const real = () => require("node:os");

/** What Linux answers to `gethostname`; other systems have no such file. */
function kernelName() {
  try {
    return readFileSync("/proc/sys/kernel/hostname", "utf8").trimEnd();
  } catch {
    return "";
  }
}

export function hostname() {
  return kernelName() || real().hostname();
}

export function homedir() {
  return (process.platform !== "win32" && process.env.HOME) || real().homedir();
}

export function userInfo() {
  if (!process.geteuid) return real().userInfo();
  return {
    uid: process.geteuid(),
    get username() {
      return real().userInfo().username;
    },
    get homedir() {
      return real().userInfo().homedir;
    },
  };
}

export function platform() {
  return process.platform;
}

export function tmpdir() {
  return real().tmpdir();
}

export function endianness() {
  return real().endianness();
}
