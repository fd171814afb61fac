import type { CheckKind } from "../call-facts.js";
import { isAmong, type WordList } from "../word-list.js";
import type { Words } from "./judges.js";
import { judgeOf } from "./program-table.js";
import { checkByFile } from "./script-name.js";
import { programName } from "./wrapped-command.js";

/** What a command checks, by its literal words. Whether its exit code can be seen is another question. */
export function checkOfProgram(words: Words): CheckKind | undefined {
  const [first = "", ...rest] = words;
  if (first === "" || isOnlyAsked(rest)) return undefined;
  const name = programName(first);
  const always = ALWAYS.find(([, programs]) => isAmong(programs, name));
  if (always) return always[0];
  const judge = judgeOf(name);
  if (judge !== undefined) return typeof judge === "function" ? judge(rest, checkOfProgram) : judge;
  return first.includes("/") || /\.\w{1,4}$/.test(first) ? checkByFile(first) : undefined;
}

/** They are checks whatever words follow. */
const ALWAYS: readonly (readonly [CheckKind, WordList])[] = [
  [
    "tests",
    " pytest py.test tox nox jest mocha ava tap tape jasmine karma nose2 behave trial rspec cucumber phpunit pest ",
  ],
  [
    "tests",
    " paratest codecept bats shellspec busted ctest gotestsum ginkgo prove elm-test testcafe wdio c8 nyc minitest ",
  ],
  [
    "lint",
    " eslint oxlint xo standard stylelint flake8 pylint bandit rubocop standardrb shellcheck hadolint yamllint ",
  ],
  [
    "lint",
    " markdownlint markdownlint-cli2 actionlint staticcheck revive gosec golint swiftlint ktlint detekt luacheck ",
  ],
  [
    "lint",
    " ansible-lint tflint cpplint cppcheck credo semgrep knip publint commitlint codespell vale htmlhint jshint ",
  ],
  ["types", " tsc vue-tsc svelte-check mypy pyright basedpyright pytype pyre phpstan psalm dmypy tsgo ty "],
  ["build", " webpack rollup esbuild tsup tsdown parcel ninja msbuild unbuild ncc microbundle "],
  ["screenshot", " shot-scraper wkhtmltoimage capture-website pageres screencapture scrot "],
];

/** It prints something about itself, or lists what it would do; or it never ends. */
const ASKED =
  /^(?:--?help|-h|--?version|--collect-only|--co|--?list(?:-?[tT]ests|Files(?:Only)?|-targets|-checks)?|--dry-run|--just-print|--show-?[cC]onfig|--print-config|--init|--clean|--clearCache|--cache-clear|--fixtures|--markers|--watch(?:All)?|--ui|--env-info)$/;

function isOnlyAsked(words: Words): boolean {
  return words.some((word) => word.startsWith("-") && ASKED.test(word));
}
