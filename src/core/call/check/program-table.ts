import type { CheckKind } from "../call-facts.js";
import {
  bySubcommand,
  byTargets,
  CARGO,
  compiler,
  GO,
  GRADLE,
  has,
  ifCheck,
  type Judge,
  MAKE,
  MAVEN,
  NODE,
  nx,
  PYTHON,
  packageManager,
  plain,
  request,
  runner,
  screenshot,
  scriptOf,
  shellScript,
} from "./judges.js";
import { checkByFile } from "./script-name.js";

// A table: one row for each program, so it may be long.

const all = (kind: CheckKind, names: string): Readonly<Record<string, Judge>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, kind]));

/** Made with the first command that is asked about. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table, made when it is needed.
export function programTable(): Readonly<Record<string, Judge>> {
  return {
    ...all(
      "tests",
      "pytest py.test tox nox jest mocha ava tap tape jasmine karma nose2 behave trial rspec cucumber phpunit pest",
    ),
    ...all(
      "tests",
      "paratest codecept bats shellspec busted ctest gotestsum ginkgo prove elm-test testcafe wdio c8 nyc minitest",
    ),
    ...all(
      "lint",
      "eslint oxlint xo standard stylelint flake8 pylint bandit rubocop standardrb shellcheck hadolint yamllint",
    ),
    ...all(
      "lint",
      "markdownlint markdownlint-cli2 actionlint staticcheck revive gosec golint swiftlint ktlint detekt luacheck",
    ),
    ...all(
      "lint",
      "ansible-lint tflint cpplint cppcheck credo semgrep knip publint commitlint codespell vale htmlhint jshint",
    ),
    ...all("types", "tsc vue-tsc svelte-check mypy pyright basedpyright pytype pyre phpstan psalm dmypy tsgo ty"),
    ...all("build", "webpack rollup esbuild tsup tsdown parcel ninja msbuild unbuild ncc microbundle"),
    ...all("screenshot", "shot-scraper wkhtmltoimage capture-website pageres screencapture scrot"),
    npm: packageManager(false),
    pnpm: packageManager(true),
    yarn: packageManager(true),
    bun: packageManager(true),
    deno: bySubcommand({
      test: "tests",
      lint: "lint",
      check: "types",
      fmt: ifCheck("lint", "--check"),
      task: (words) => scriptOf(plain(words).slice(1)),
    }),
    vitest: (words) => (has(plain(words).slice(0, 1), "list", "watch", "dev", "init") ? undefined : "tests"),
    playwright: bySubcommand({ test: "tests", screenshot: "screenshot" }),
    cypress: bySubcommand({ run: "tests" }),
    k6: bySubcommand({ run: "tests" }),
    newman: bySubcommand({ run: "tests" }),
    puppeteer: bySubcommand({ screenshot: "screenshot" }),
    prettier: ifCheck("lint", "--check", "-c", "-l", "--list-different"),
    black: ifCheck("lint", "--check"),
    isort: ifCheck("lint", "--check", "-c", "--check-only"),
    rustfmt: ifCheck("lint", "--check"),
    "clang-format": ifCheck("lint", "-Werror", "--Werror"),
    biome: bySubcommand({
      check: "lint",
      lint: "lint",
      ci: "lint",
      format: (words) => (has(words, "--write") ? undefined : "lint"),
    }),
    ruff: (words) =>
      plain(words)[0] === "format"
        ? has(words, "--check")
          ? "lint"
          : undefined
        : has(plain(words), "clean", "rule", "config")
          ? undefined
          : "lint",
    "golangci-lint": bySubcommand({ run: "lint" }),
    terraform: bySubcommand({ validate: "lint", fmt: ifCheck("lint", "-check", "--check"), test: "tests" }),
    helm: bySubcommand({ lint: "lint", template: "lint" }),
    buf: bySubcommand({ lint: "lint", build: "build" }),
    "pre-commit": bySubcommand({ run: "lint" }),
    lefthook: bySubcommand({ run: "lint" }),
    git: (words) => (plain(words, ["-C", "-c"])[0] === "diff" && has(words, "--check") ? "lint" : undefined),
    go: GO,
    cargo: CARGO,
    make: MAKE,
    gmake: MAKE,
    just: runner,
    task: runner,
    rake: (words) => byTargets(plain(words)) ?? (plain(words).length === 0 ? "tests" : undefined),
    rails: bySubcommand({ test: "tests", "test:system": "tests", "test:all": "tests", "zeitwerk:check": "build" }),
    composer: (words) => scriptOf(plain(words).filter((word) => word !== "run" && word !== "run-script")),
    artisan: bySubcommand({ test: "tests" }),
    php: (words, of) =>
      has(words, "-l")
        ? "lint"
        : plain(words)[0] === "artisan"
          ? plain(words)[1] === "test"
            ? "tests"
            : undefined
          : of(plain(words).slice(0, 1)),
    ruby: (words) =>
      has(words, "-c")
        ? "lint"
        : has(words, "-Itest", "-Ilib:test", "-Ispec")
          ? "tests"
          : checkByFile(plain(words, ["-I", "-r"])[0] ?? ""),
    perl: ifCheck("lint", "-c"),
    srb: bySubcommand({ tc: "types", typecheck: "types" }),
    python: PYTHON,
    python3: PYTHON,
    py: PYTHON,
    node: NODE,
    tsx: NODE,
    "ts-node": NODE,
    bash: shellScript,
    sh: shellScript,
    zsh: shellScript,
    dash: shellScript,
    gradle: GRADLE,
    gradlew: GRADLE,
    mvn: MAVEN,
    mvnw: MAVEN,
    dotnet: bySubcommand({
      test: "tests",
      build: "build",
      publish: "build",
      format: ifCheck("lint", "--verify-no-changes"),
    }),
    swift: bySubcommand({ test: "tests", build: "build" }),
    xcodebuild: (words) =>
      has(words, "test", "test-without-building")
        ? "tests"
        : has(words, "-showsdks", "-list", "-showBuildSettings", "clean") && !has(words, "build")
          ? undefined
          : "build",
    bazel: bySubcommand({ test: "tests", coverage: "tests", build: "build" }),
    bazelisk: bySubcommand({ test: "tests", coverage: "tests", build: "build" }),
    buck2: bySubcommand({ test: "tests", build: "build" }),
    pants: (words) => byTargets(plain(words).slice(0, 1)),
    sbt: (words) => byTargets(words.flatMap((word) => word.split(/[\s/:;]+/))),
    lein: bySubcommand({ test: "tests", compile: "build" }),
    clojure: (words) => (words.some((word) => /^-[XM]:?.*test/.test(word)) ? "tests" : undefined),
    mix: bySubcommand({
      test: "tests",
      compile: "build",
      credo: "lint",
      dialyzer: "types",
      format: ifCheck("lint", "--check-formatted"),
    }),
    rebar3: bySubcommand({ eunit: "tests", ct: "tests", dialyzer: "types", compile: "build" }),
    stack: bySubcommand({ test: "tests", build: "build" }),
    cabal: bySubcommand({ test: "tests", build: "build" }),
    dune: bySubcommand({ test: "tests", runtest: "tests", build: "build" }),
    zig: (words) =>
      plain(words)[0] === "test" || (plain(words)[0] === "build" && has(words, "test"))
        ? "tests"
        : plain(words)[0] === "build"
          ? "build"
          : undefined,
    flutter: bySubcommand({ test: "tests", analyze: "lint", build: "build" }),
    dart: bySubcommand({ test: "tests", analyze: "lint", compile: "build" }),
    elm: bySubcommand({ make: "build" }),
    forge: bySubcommand({ test: "tests", build: "build" }),
    hardhat: bySubcommand({ test: "tests", compile: "build" }),
    meson: bySubcommand({ test: "tests", compile: "build" }),
    cmake: (words) => (has(words, "--build") ? (has(words, "test") ? "tests" : "build") : undefined),
    nix: (words) =>
      plain(words)[0] === "build"
        ? "build"
        : plain(words).slice(0, 2).join(" ") === "flake check"
          ? "tests"
          : undefined,
    docker: (words) =>
      plain(words)[0] === "build" ||
      plain(words).slice(0, 2).join(" ") === "buildx build" ||
      (plain(words)[0] === "compose" && has(words, "build"))
        ? "build"
        : undefined,
    ng: bySubcommand({ test: "tests", lint: "lint", build: "build", e2e: "tests" }),
    next: bySubcommand({ build: "build", lint: "lint" }),
    vite: bySubcommand({ build: "build" }),
    nuxt: bySubcommand({ build: "build", typecheck: "types" }),
    nuxi: bySubcommand({ build: "build", typecheck: "types" }),
    astro: bySubcommand({ build: "build", check: "types" }),
    hugo: (words) => (has(plain(words), "server", "new", "serve") ? undefined : "build"),
    jekyll: bySubcommand({ build: "build" }),
    mkdocs: bySubcommand({ build: "build" }),
    "react-scripts": bySubcommand({ test: "tests", build: "build" }),
    nx,
    turbo: runner,
    lerna: runner,
    moon: (words) => byTargets(plain(words).flatMap((word) => word.split(":"))),
    rush: runner,
    gcc: compiler,
    "g++": compiler,
    clang: compiler,
    "clang++": compiler,
    cc: compiler,
    rustc: compiler,
    javac: compiler,
    kotlinc: compiler,
    swiftc: compiler,
    nginx: ifCheck("lint", "-t"),
    "ansible-playbook": ifCheck("lint", "--syntax-check"),
    curl: request,
    wget: request,
    http: request,
    https: request,
    httpie: request,
    xh: request,
    "google-chrome": screenshot,
    "google-chrome-stable": screenshot,
    chrome: screenshot,
    chromium: screenshot,
    "chromium-browser": screenshot,
    firefox: screenshot,
    msedge: screenshot,
    xcrun: (words) => (has(words, "simctl") && has(words, "screenshot") ? "screenshot" : undefined),
    adb: (words) => (has(words, "screencap") ? "screenshot" : undefined),
  };
}
