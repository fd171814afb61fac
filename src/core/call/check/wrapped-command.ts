import type { ShellWord } from "../shell/shell-tokens.js";

/** The command that another one runs, without what stands before it: `CI=1 timeout 60 npx vitest`. */
export function wrappedCommand(words: readonly ShellWord[]): readonly ShellWord[] {
  let rest = words;
  for (let turn = 0; turn < MOST; turn += 1) {
    const inner = unwrap(rest);
    if (inner === undefined) return rest;
    rest = inner;
  }
  return rest;
}

/** Nobody wraps deeper. */
const MOST = 12;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** Programs that run the words behind them, and which of their options take a value. */
const WRAPPERS: Readonly<Record<string, readonly string[]>> = {
  time: ["-f", "-o"],
  command: [],
  builtin: [],
  exec: ["-a"],
  nice: ["-n"],
  ionice: ["-c", "-n"],
  nohup: [],
  sudo: ["-u", "-g", "-C", "-h", "-p"],
  doas: ["-u"],
  env: ["-u", "-C", "-S"],
  stdbuf: ["-o", "-e", "-i"],
  "xvfb-run": ["-s", "-n", "-e", "-f"],
  "cross-env": [],
  dotenv: ["-e", "-f", "-c", "-v"],
  unbuffer: [],
  caffeinate: [],
  npx: ["-p", "--package", "-w", "--workspace"],
  bunx: ["-p", "--package"],
  pnpx: [],
  xargs: ["-n", "-P", "-I", "-L", "-d", "-s", "-a"],
  corepack: [],
};

/** Two words that do the same: `poetry run pytest`. */
const PAIRS: readonly string[] = [
  ..."poetry-run uv-run pipenv-run hatch-run pdm-run rye-run bundle-exec pnpm-exec pnpm-dlx yarn-exec".split(" "),
  ..."yarn-dlx bun-x npm-exec npm-x doppler-run mise-exec mise-x asdf-exec direnv-exec conda-run opam-exec".split(" "),
  ..."coverage-run docker-exec podman-exec bazelisk-run infisical-run op-run devbox-run pixi-run rtk-run".split(" "),
];
const PAIR_VALUES = ["-p", "--package", "--with", "--extra", "--group", "--python", "-n", "--name", "-e", "-u", "-w"];
/** Behind these stands the name of something before the command. */
const NAMED = ["docker-exec", "podman-exec", "direnv-exec"];

function unwrap(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const [first, second] = words;
  if (!first) return undefined;
  if (first.text.includes("=") && ASSIGNMENT.test(first.text)) return words.slice(1);
  const name = programName(first.text);
  if (name === "command" && /^-[vV]/.test(second?.text ?? "")) return undefined;
  if (name === "timeout" || name === "gtimeout") return withoutOptions(words.slice(1), ["-k", "-s"]).slice(1);
  if (name === "docker" && second?.text === "compose") return composed(words.slice(2));
  if (name === "docker-compose") return composed(words.slice(1));
  if (name === "rtk" && second !== undefined && !second.text.startsWith("-")) return words.slice(1);
  const pair = `${name}-${second?.text ?? ""}`;
  if (PAIRS.includes(pair)) {
    const inner = withoutOptions(words.slice(2), PAIR_VALUES);
    return NAMED.includes(pair) ? inner.slice(1) : inner;
  }
  return Object.hasOwn(WRAPPERS, name) ? withoutOptions(words.slice(1), WRAPPERS[name] ?? []) : undefined;
}

/** `docker compose exec -T web pytest`: the command behind the name of the service. */
function composed(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const [verb, ...rest] = withoutOptions(words, ["-f", "--file", "-p", "--project-name", "--profile"]);
  if (verb?.text !== "exec" && verb?.text !== "run") return undefined;
  return withoutOptions(rest, ["-e", "--env", "-u", "--user", "-w", "--workdir", "-v", "--volume"]).slice(1);
}

export function withoutOptions(words: readonly ShellWord[], values: readonly string[]): readonly ShellWord[] {
  let at = 0;
  for (let word = words[at]?.text; word?.startsWith("-") && word !== "-"; word = words[at]?.text) {
    at += 1;
    if (word === "--") break;
    if (values.includes(word)) at += 1;
  }
  return words.slice(at);
}

/** Without its folder, and without the ending that Windows gives it. */
export function programName(word: string): string {
  const name = word.slice(word.lastIndexOf("/") + 1);
  return name.includes(".") ? name.replace(/\.(?:exe|cmd|bat)$/i, "") : name;
}
