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

/** A switch, because a hook asks once: nothing is made but the row asked for. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table.
export function judgeOf(program: string): Judge | undefined {
  switch (program) {
    case "npm":
      return packageManager(false);
    case "pnpm":
    case "yarn":
    case "bun":
      return packageManager(true);
    case "deno":
      return bySubcommand({
        test: "tests",
        lint: "lint",
        check: "types",
        fmt: ifCheck("lint", "--check"),
        task: (words) => scriptOf(plain(words).slice(1)),
      });
    case "vitest":
      return (words) => (has(plain(words).slice(0, 1), "list", "watch", "dev", "init") ? undefined : "tests");
    case "playwright":
      return bySubcommand({ test: "tests", screenshot: "screenshot" });
    case "cypress":
    case "k6":
    case "newman":
      return bySubcommand({ run: "tests" });
    case "puppeteer":
      return bySubcommand({ screenshot: "screenshot" });
    case "prettier":
      return ifCheck("lint", "--check", "-c", "-l", "--list-different");
    case "black":
    case "rustfmt":
      return ifCheck("lint", "--check");
    case "isort":
      return ifCheck("lint", "--check", "-c", "--check-only");
    case "clang-format":
      return ifCheck("lint", "-Werror", "--Werror");
    case "biome":
      return bySubcommand({
        check: "lint",
        lint: "lint",
        ci: "lint",
        format: (words) => (has(words, "--write") ? undefined : "lint"),
      });
    case "ruff":
      return (words) =>
        plain(words)[0] === "format"
          ? has(words, "--check")
            ? "lint"
            : undefined
          : has(plain(words), "clean", "rule", "config")
            ? undefined
            : "lint";
    case "golangci-lint":
    case "pre-commit":
    case "lefthook":
      return bySubcommand({ run: "lint" });
    case "terraform":
      return bySubcommand({ validate: "lint", fmt: ifCheck("lint", "-check", "--check"), test: "tests" });
    case "helm":
      return bySubcommand({ lint: "lint", template: "lint" });
    case "buf":
      return bySubcommand({ lint: "lint", build: "build" });
    case "git":
      return (words) => (plain(words, ["-C", "-c"])[0] === "diff" && has(words, "--check") ? "lint" : undefined);
    case "go":
      return GO;
    case "cargo":
      return CARGO;
    case "make":
    case "gmake":
      return MAKE;
    case "just":
    case "task":
    case "turbo":
    case "lerna":
    case "rush":
      return runner;
    case "rake":
      return (words) => byTargets(plain(words)) ?? (plain(words).length === 0 ? "tests" : undefined);
    case "rails":
      return bySubcommand({ test: "tests", "test:system": "tests", "test:all": "tests", "zeitwerk:check": "build" });
    case "composer":
      return (words) => scriptOf(plain(words).filter((word) => word !== "run" && word !== "run-script"));
    case "artisan":
      return bySubcommand({ test: "tests" });
    case "php":
      return (words, of) =>
        has(words, "-l")
          ? "lint"
          : plain(words)[0] === "artisan"
            ? plain(words)[1] === "test"
              ? "tests"
              : undefined
            : of(plain(words).slice(0, 1));
    case "ruby":
      return (words) =>
        has(words, "-c")
          ? "lint"
          : has(words, "-Itest", "-Ilib:test", "-Ispec")
            ? "tests"
            : checkByFile(plain(words, ["-I", "-r"])[0] ?? "");
    case "perl":
      return ifCheck("lint", "-c");
    case "srb":
      return bySubcommand({ tc: "types", typecheck: "types" });
    case "python":
    case "python3":
    case "py":
      return PYTHON;
    case "node":
    case "tsx":
    case "ts-node":
      return NODE;
    case "bash":
    case "sh":
    case "zsh":
    case "dash":
      return shellScript;
    case "gradle":
    case "gradlew":
      return GRADLE;
    case "mvn":
    case "mvnw":
      return MAVEN;
    case "dotnet":
      return bySubcommand({
        test: "tests",
        build: "build",
        publish: "build",
        format: ifCheck("lint", "--verify-no-changes"),
      });
    case "swift":
    case "buck2":
    case "stack":
    case "cabal":
    case "forge":
    case "react-scripts":
      return bySubcommand({ test: "tests", build: "build" });
    case "xcodebuild":
      return (words) =>
        has(words, "test", "test-without-building")
          ? "tests"
          : has(words, "-showsdks", "-list", "-showBuildSettings", "clean") && !has(words, "build")
            ? undefined
            : "build";
    case "bazel":
    case "bazelisk":
      return bySubcommand({ test: "tests", coverage: "tests", build: "build" });
    case "pants":
      return (words) => byTargets(plain(words).slice(0, 1));
    case "sbt":
      return (words) => byTargets(words.flatMap((word) => word.split(/[\s/:;]+/)));
    case "lein":
    case "hardhat":
    case "meson":
      return bySubcommand({ test: "tests", compile: "build" });
    case "clojure":
      return (words) => (words.some((word) => /^-[XM]:?.*test/.test(word)) ? "tests" : undefined);
    case "mix":
      return bySubcommand({
        test: "tests",
        compile: "build",
        credo: "lint",
        dialyzer: "types",
        format: ifCheck("lint", "--check-formatted"),
      });
    case "rebar3":
      return bySubcommand({ eunit: "tests", ct: "tests", dialyzer: "types", compile: "build" });
    case "dune":
      return bySubcommand({ test: "tests", runtest: "tests", build: "build" });
    case "zig":
      return (words) =>
        plain(words)[0] === "test" || (plain(words)[0] === "build" && has(words, "test"))
          ? "tests"
          : plain(words)[0] === "build"
            ? "build"
            : undefined;
    case "flutter":
      return bySubcommand({ test: "tests", analyze: "lint", build: "build" });
    case "dart":
      return bySubcommand({ test: "tests", analyze: "lint", compile: "build" });
    case "elm":
      return bySubcommand({ make: "build" });
    case "cmake":
      return (words) => (has(words, "--build") ? (has(words, "test") ? "tests" : "build") : undefined);
    case "nix":
      return (words) =>
        plain(words)[0] === "build"
          ? "build"
          : plain(words).slice(0, 2).join(" ") === "flake check"
            ? "tests"
            : undefined;
    case "docker":
      return (words) =>
        plain(words)[0] === "build" ||
        plain(words).slice(0, 2).join(" ") === "buildx build" ||
        (plain(words)[0] === "compose" && has(words, "build"))
          ? "build"
          : undefined;
    case "ng":
      return bySubcommand({ test: "tests", lint: "lint", build: "build", e2e: "tests" });
    case "next":
      return bySubcommand({ build: "build", lint: "lint" });
    case "vite":
    case "jekyll":
    case "mkdocs":
      return bySubcommand({ build: "build" });
    case "nuxt":
    case "nuxi":
      return bySubcommand({ build: "build", typecheck: "types" });
    case "astro":
      return bySubcommand({ build: "build", check: "types" });
    case "hugo":
      return (words) => (has(plain(words), "server", "new", "serve") ? undefined : "build");
    case "nx":
      return nx;
    case "moon":
      return (words) => byTargets(plain(words).flatMap((word) => word.split(":")));
    case "gcc":
    case "g++":
    case "clang":
    case "clang++":
    case "cc":
    case "rustc":
    case "javac":
    case "kotlinc":
    case "swiftc":
      return compiler;
    case "nginx":
      return ifCheck("lint", "-t");
    case "ansible-playbook":
      return ifCheck("lint", "--syntax-check");
    case "curl":
    case "wget":
    case "http":
    case "https":
    case "httpie":
    case "xh":
      return request;
    case "google-chrome":
    case "google-chrome-stable":
    case "chrome":
    case "chromium":
    case "chromium-browser":
    case "firefox":
    case "msedge":
      return screenshot;
    case "xcrun":
      return (words) => (has(words, "simctl") && has(words, "screenshot") ? "screenshot" : undefined);
    case "adb":
      return (words) => (has(words, "screencap") ? "screenshot" : undefined);
    default:
      return undefined;
  }
}
