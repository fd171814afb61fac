import { SECTIONS } from "../../src/app/command-table.js";
import { COMMON_FLAGS, type Field, type Fields, flagName, valueName } from "../../src/app/fields.js";
import { SETTINGS } from "../../src/app/settings/setting-entries.js";
import { EXIT_CODES } from "../../src/cli/exit-codes.js";
import { aliasTexts, COMMAND_ALIASES, VERB_ALIASES } from "../../src/cli/other-words.js";
import { allListed, type Chapter, chapters, type Listed, type Listing } from "./all-commands.js";
import { jsonShapes, type Shapes } from "./json-shapes.js";

/** What docs/cli.md says of every command: made from the definitions, and from what the commands print. */
export async function cliDocument(): Promise<string> {
  const all = await chapters();
  const shapes = jsonShapes(allListed(all));
  return [...everyCommand(shapes), ...all.flatMap((chapter) => chapterLines(chapter, shapes))].join("\n\n");
}

function everyCommand({ objects }: Shapes): readonly string[] {
  return [
    "## Every command",
    table(["flag", "means", "default"], [...flagRows(COMMON_FLAGS), ...ALWAYS]),
    "Flags may stand anywhere in the line; these also before the command, or without one. `--` ends them: what follows is text.",
    OTHER_WORDS,
    table(["behind", "typed", "means"], aliasRows()),
    table(
      ["exit code", "means", "codes of errors"],
      EXITS.map(([exit, means]) => [exit, means, codesOf(Number(exit))]),
    ),
    ERRORS,
    "Objects that many commands print with `--json`:",
    table(
      ["word", "is"],
      Object.entries(objects).map(([word, shape]) => [`\`${word}\``, `\`${shape}\``]),
    ),
    "## Environment",
    "What each setting means, and which of them a project's file may tighten: [settings.md](settings.md).",
    table(["variable", "means"], [...VARIABLES, ...SETTINGS.flatMap(settingRow)]),
  ];
}

const ALWAYS = [
  ["`--help`, `-h`", "help for the command", ""],
  ["`--version`, `-V`", "the version, in place of a command", ""],
] as const;

function codesOf(exit: number): string {
  const codes = Object.keys(EXIT_CODES).filter((code) => EXIT_CODES[code] === exit);
  return codes.map((code) => `\`${code}\``).join(", ");
}

const EXITS = [
  ["0", "ok"],
  ["1", "refused: the list, the task or the session does not allow it, or is not there. Nothing was changed"],
  ["2", "wrong usage: no such command, flag or value"],
  ["3", "trouble with the store or a file, or a defect of Milepost ([store.md](store.md#trouble))"],
] as const;

const OTHER_WORDS = `A word that is mistyped is answered with the line that was meant, and nothing is done. These other
words mean just one thing, and simply work:`;

/** `ls, ps = sessions` as cells, behind the group they belong to. */
function aliasRows() {
  const names = SECTIONS.flatMap(({ commands }) => commands.map(({ name }) => name));
  const code = (words: string) => words.replace(/[\w-]+/g, "`$&`");
  const rows = (texts: readonly string[], behind: string) =>
    texts.map((text) => [behind, ...text.split(" = ").map(code)] as const);
  const groups = SECTIONS.flatMap(({ commands }) => commands.filter((entry) => "verbs" in entry));
  const verbs = groups.flatMap(({ name, verbs: own }) => {
    const verbNames = own.map((verb) => verb.name);
    return rows(aliasTexts(VERB_ALIASES, verbNames), code(name));
  });
  return [
    ...rows(aliasTexts(COMMAND_ALIASES, names), ""),
    ["", "`-v`, `version`", "`--version`"],
    ...verbs,
    ...MORE_WORDS,
  ];
}

const MORE_WORDS = [
  ["`setup`, `unsetup`", "`claude`", "`claude-code`"],
  ["`config`", "`set`, `get`, `list`", "left out"],
  ["`sessions`", "`list`, `show`", "left out"],
] as const;

/** Where an exit code means something of its own. */
const NOTES: Readonly<Record<string, string>> = {
  call: "0 also when a tool call was refused: that is an answer",
  doctor: "3 when the store is damaged, 1 when only an agent's setup is broken, 0 when there are only warnings",
  "task claim": "0 also when nothing is ready",
};

const ERRORS = `An error is one line on standard error, \`milepost: MESSAGE [code]\`; with \`--json\` it is
\`{"error":{"code","message"}}\`. Codes are stable, messages are not. Times in JSON are ISO 8601 in UTC:
\`2026-01-31T09:30:00.000Z\`.`;

const VARIABLES = [
  ["`MILEPOST_STORE`", "the store, as `--store`"],
  ["`MILEPOST_HOME`", "Milepost's own folder: store, settings, log ([store.md](store.md))"],
  ["`XDG_STATE_HOME`", "without `MILEPOST_HOME`: its folder `milepost` is Milepost's own"],
  ["`MILEPOST_LIST`", "the task list, as `--list`"],
  ["`MILEPOST_DEBUG`", "`1`: where in the code an error comes from"],
  ["`VISUAL`, `EDITOR`", "the editor of `todo edit`"],
  ["`NO_COLOR`", "no colours"],
  [
    "`CLAUDE_CONFIG_DIR`, `CODEX_HOME`, `HERMES_HOME`",
    "where agents keep their files ([sessions.md](sessions.md#what-is-read))",
  ],
] as const;

const settingRow = ({ variable, name, summary }: (typeof SETTINGS)[number]) =>
  variable === undefined ? [] : [[`\`${variable}\``, `the setting \`${name}\`: ${summary}`]];

function chapterLines({ title, entries, surfaces }: Chapter, shapes: Shapes): readonly string[] {
  return [
    `## ${title}`,
    ...entries.flatMap((entry) =>
      "verbs" in entry ? groupLines(entry, shapes) : commandLines(entry, { shapes, level: "###", shared: {} }),
    ),
    ...surfaces.flatMap(({ name, summary, details }) => [`### milepost ${name}`, `${summary}.`, ...prose(details)]),
  ];
}

function groupLines({ name, summary, details, verbs }: Listing, shapes: Shapes): readonly string[] {
  const shared = sharedFlags(verbs);
  return [
    `### milepost ${name}`,
    sentence(summary),
    ...prose(details),
    "Flags of several commands below:",
    table(["flag", "means", "default"], flagRows(shared)),
    ...verbs.flatMap((verb) => commandLines(verb, { shapes, level: "####", shared })),
  ];
}

/** Flags that mean the same in at least a third of the commands. */
function sharedFlags(verbs: readonly Listed[]): Fields {
  const flags = verbs.flatMap(({ command: { input, words = [] } }) =>
    Object.entries(input).filter(([name]) => !words.includes(name)),
  );
  const same = ([name, { about }]: readonly [string, Field]) =>
    flags.filter(([other, field]) => other === name && field.about === about).length;
  return Object.fromEntries(flags.filter((flag) => same(flag) * 3 >= verbs.length));
}

interface Around {
  readonly shapes: Shapes;
  readonly level: string;
  /** Flags that stand above, for all commands of the group. */
  readonly shared: Fields;
}

function commandLines({ name, summary, command }: Listed, { shapes, level, shared }: Around): readonly string[] {
  const { words = [], input, details, examples } = command;
  const placed = words.flatMap((word) => (input[word] ? [[word, input[word]] as const] : []));
  const flags = Object.entries(input).filter(([field]) => !words.includes(field) && !(field in COMMON_FLAGS));
  const isShared = ([field, { about }]: readonly [string, Field]) => shared[field]?.about === about;
  const above = flags.filter(isShared).map(([field]) => `\`${flagName(field)}\``);
  const rows = [
    ...placed.map(([word, field]) => [`\`${placeText(word, field)}\``, aboutText(field), standardText(field)]),
    ...flagRows(Object.fromEntries(flags.filter((flag) => !isShared(flag)))),
  ];
  const shape = shapes.printed.get(name);
  return [
    `${level} milepost ${name}`,
    sentence(summary),
    [
      "```text",
      ["milepost", name, ...placed.map(([word, field]) => placeText(word, field)), "[flags]"].join(" "),
      "```",
    ].join("\n"),
    ...(rows.length === 0 ? [] : [table(["argument", "means", "default"], rows)]),
    ...(above.length === 0 ? [] : [`Also ${above.join(", ")}.`]),
    ...prose(details),
    ...(name in NOTES ? [`Exit codes: ${NOTES[name]}.`] : []),
    ...(shape === undefined ? [] : [`\`--json\` prints ${shape}.`]),
    ...(examples.length === 0 ? [] : [["```sh", ...examples, "```"].join("\n")]),
  ];
}

const sentence = (text: string) => (/[.:]$/.test(text) ? text : `${text}.`);

/** `FILE`, `[FILE]` when it may be left out, `FILE...` for several. */
function placeText(name: string, field: Field): string {
  const word = `${valueName(name, field)}${field.isMany ? "..." : ""}`;
  return field.isNeeded ? word : `[${word}]`;
}

function flagRows(fields: Fields): readonly (readonly string[])[] {
  return Object.entries(fields).map(([name, field]) => [
    `\`${field.kind === "toggle" ? flagName(name) : `${flagName(name)} ${valueName(name, field)}`}\``,
    aboutText(field),
    standardText(field),
  ]);
}

function aboutText({ about, choices = [], isNeeded }: Field): string {
  const listed = choices.length > 0 && !choices.every((name) => about.includes(name)) ? `: ${choices.join(", ")}` : "";
  return `${about.replace(STANDARD, "")}${listed}${isNeeded ? " (required)" : ""}`;
}

const STANDARD = / \(default: ([^)]*)\)$/;

function standardText({ about, standard }: Field): string {
  const [, said] = STANDARD.exec(about) ?? [];
  if (said !== undefined) return said;
  return standard === undefined || standard === false ? "" : `\`${String(standard)}\``;
}

/** Lines that are indented are shown as they are. */
function prose(text: string): readonly string[] {
  return text.split("\n\n").flatMap((paragraph) => {
    const lines = paragraph.split("\n");
    const at = lines.findIndex((line) => line.startsWith(" "));
    if (at < 0) return [paragraph];
    const shown = ["```text", ...lines.slice(at).map((line) => line.replace(/^ {2}/, "")), "```"].join("\n");
    return [...(at === 0 ? [] : [lines.slice(0, at).join("\n")]), shown];
  });
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  return [header, header.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
