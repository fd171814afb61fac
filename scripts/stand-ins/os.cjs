// Stands in for node:os in what a hook loads. The real one is compiled at each start, and its `userInfo` looks a name up
// in the system's list of users, of which only the number is needed.
const { readFileSync } = require("node:fs");

const real = () => require("node:os");
const isWindows = process.platform === "win32";

/** What Linux answers to `gethostname`; other systems have no such file. */
function kernelName() {
  try {
    return readFileSync("/proc/sys/kernel/hostname", "utf8").trimEnd();
  } catch {
    return "";
  }
}

exports.hostname = () => kernelName() || real().hostname();
exports.homedir = () => (!isWindows && process.env.HOME) || real().homedir();
exports.userInfo = () =>
  process.geteuid
    ? {
        uid: process.geteuid(),
        get homedir() {
          return real().userInfo().homedir;
        },
      }
    : real().userInfo();
exports.tmpdir = () => real().tmpdir();
exports.endianness = () => real().endianness();
exports.platform = () => process.platform;
