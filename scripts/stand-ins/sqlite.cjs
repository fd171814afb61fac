// Stands in for @photostructure/sqlite in our bundles. That package takes 4 ms to find its own binary and to wrap it in
// things that we do not use; a hook lives for 15. The binary has the API of node:sqlite by itself.
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const system = `${process.platform}-${process.arch}`;
const isMusl = process.platform === "linux" && existsSync("/etc/alpine-release");
const library = isMusl ? "musl" : "glibc";
const packed = `@photostructure/sqlite/prebuilds/${system}/@photostructure+sqlite.${library}.node`;

/** Beside our bundles; else below our own package, or beside it where npm puts what several need. */
const places = [
  join(__dirname, "sqlite", `${system}.${library}.node`),
  join(__dirname, "..", "node_modules", packed),
  join(__dirname, "..", "..", packed),
];

function load() {
  for (const place of places) {
    try {
      // As `require` ends up doing: it would look for packages and their descriptions first.
      const binary = { exports: {} };
      process.dlopen(binary, place);
      return binary.exports;
    } catch {
      // Not here, or not for this machine.
    }
  }
  return require("@photostructure/sqlite");
}

module.exports = load();
