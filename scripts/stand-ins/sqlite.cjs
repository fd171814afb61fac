// Stands in for @photostructure/sqlite in our bundles. That package takes 4 ms to find its own binary and to wrap it in
// things that we do not use; a hook lives for 15. The binary has the API of node:sqlite by itself.
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const folder = `@photostructure/sqlite/prebuilds/${process.platform}-${process.arch}`;
const isMusl = process.platform === "linux" && existsSync("/etc/alpine-release");
const file = `@photostructure+sqlite.${isMusl ? "musl" : "glibc"}.node`;

/** Below our own package, or beside it where npm puts what several need. */
const places = [join(__dirname, "..", "node_modules"), join(__dirname, "..", "..")];

function load() {
  for (const place of places) {
    try {
      // As `require` ends up doing: it would look for packages and their descriptions first.
      const binary = { exports: {} };
      process.dlopen(binary, join(place, folder, file));
      return binary.exports;
    } catch {
      // Not here, or not for this machine.
    }
  }
  return require("@photostructure/sqlite");
}

module.exports = load();
