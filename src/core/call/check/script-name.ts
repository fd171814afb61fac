import type { CheckKind } from "../call-facts.js";
import { areAnyAmong, type WordList } from "../word-list.js";

/** Words of a name that people give a script or a target, and what it then does. The first row that fits counts. */
const WORDS: readonly (readonly [CheckKind, WordList])[] = [
  ["types", " type types typecheck typechecks typings tsc mypy pyright "],
  ["lint", " lint lints linting eslint stylelint rubocop clippy ruff biome vet style fmtcheck "],
  [
    "tests",
    " test tests testing spec specs e2e unit units integration jest vitest pytest mocha coverage cov smoke ci verify ",
  ],
  ["build", " build builds compile bundle assemble "],
];

/** Beside one of those words: it prepares something, or never ends. */
const OTHERS: readonly WordList[] = [
  " watch dev serve server start stop up down debug setup install init clean clear list help seed data env fixture ",
  " fixtures update generate gen publish deploy release report open ui image push ",
];

/** `test:unit`, `type-check`, `lint.all`, `connectedAndroidTest`, as package managers and `make` run them. */
export function checkByName(name: string): CheckKind | undefined {
  const words = wordsOf(name);
  if (OTHERS.some((others) => areAnyAmong(others, words))) return undefined;
  const joined = words.join("-");
  if (words.length > 1 && /(?:^|-)(?:type-checks?|check-types?)(?:-|$)/.test(joined)) return "types";
  if (words.length > 1 && /(?:^|-)(?:(?:format|fmt|prettier)-check|check-(?:format|fmt|prettier))(?:-|$)/.test(joined))
    return "lint";
  for (const [kind, known] of WORDS) if (areAnyAmong(known, words)) return kind;
  return words.includes("check") || words.includes("checks") ? "lint" : undefined;
}

function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** A script in a file: only names that can hardly mean anything else. */
export function checkByFile(path: string): CheckKind | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const stem = name.replace(/\.(?:sh|bash|zsh|py|rb|js|mjs|cjs|ts|mts|tsx|jsx|pl|php|ps1|bat|cmd|exs?|lua)$/, "");
  if (/^screenshots?$/.test(stem) || /^(?:take|make)[-_]screenshots?$/.test(stem)) return "screenshot";
  if (/^(?:run[-_.]?)?(?:all[-_.]?)?(?:unit[-_.]?|e2e[-_.]?)?tests?(?:[-_.]all)?$/.test(stem)) return "tests";
  if (/[._-](?:tests?|specs?)$/.test(stem) || (/^test_\w/.test(stem) && name.endsWith(".py"))) return "tests";
  if (/^(?:run[-_.]?)?(?:ci|verify|checks?)$/.test(stem)) return "tests";
  if (/^(?:run[-_.]?)?lint$/.test(stem)) return "lint";
  if (/^(?:run[-_.]?)?type-?check$/.test(stem)) return "types";
  return /^(?:run[-_.]?)?build$/.test(stem) ? "build" : undefined;
}
