import { existsSync } from "node:fs";
import { COMMANDS, SURFACES } from "../../src/app/command-table.js";
import { coverageCounts, coverageRows, type Repository } from "./coverage-rows.js";
import { root, textOf } from "./shown-commands.js";

export const COVERAGE = "docs/coverage.md";

/** The table between the marks of `npm run docs`. */
export const coverageTable = (): string => coverageCounts(coverageRows(textOf(COVERAGE)));

/** This repository, as the checker asks for it. */
export const repository: Repository = {
  read: (file) => (existsSync(new URL(file, root)) ? textOf(file) : undefined),
  isCommand(line) {
    const [program, first = "", second = ""] = line.split(" ");
    if (program === "npm") return Object.hasOwn(JSON.parse(textOf("package.json")).scripts, second);
    const entry = [...COMMANDS, ...SURFACES].find(({ name }) => name === first);
    if (entry === undefined || !("verbs" in entry) || second === "" || second.startsWith("-"))
      return entry !== undefined;
    return entry.verbs.some(({ name }) => name === second);
  },
};
