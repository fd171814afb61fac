import { tokens } from "../../bench/token-cost.js";
import { TODO_STATUSES } from "../../src/core/todo/list.js";
import type { TodoPolicy } from "../../src/core/todo/policy.js";
import { type Dialect, type Guidance, offeredTools } from "../../src/dialects/dialect.js";
import { DIALECTS } from "../../src/dialects/registry.js";

const FOCUS: Readonly<Record<TodoPolicy["focus"], string>> = {
  reject: "refused",
  "reject-new": "refused",
  demote: "the other one goes back to pending",
  allow: "allowed",
};

const PROMOTE: Readonly<Record<TodoPolicy["promote"], string>> = {
  never: "nothing is started",
  "on-close": "when one is closed, the next pending one starts",
  always: "after every call the first pending one starts",
};

const CLEAR: Readonly<Record<TodoPolicy["clearWhenDone"], string>> = {
  never: "kept",
  now: "emptied at once",
  "on-add": "begins anew with the next todo",
};

const SCOPE: Readonly<Record<TodoPolicy["scope"], string>> = {
  session: "the session's list",
  agent: "each its own list",
  main: "none",
};

/** What there is to say of each dialect, one row a question. */
const ROWS: readonly (readonly [string, (dialect: Dialect) => string])[] = [
  ["answers follow", ({ vocabulary }) => vocabulary.editions],
  ["tool", tools],
  ["a call brings", ({ vocabulary }) => vocabulary.writes],
  ...TODO_STATUSES.map((status): (typeof ROWS)[number] => [
    `\`${status}\``,
    ({ vocabulary }) => (vocabulary.statuses[status] === undefined ? "no word" : `\`${vocabulary.statuses[status]}\``),
  ]),
  ["also carries", ({ vocabulary }) => vocabulary.carries.join(", ") || "nothing"],
  ["limits", ({ policy, vocabulary }) => vocabulary.limits ?? limits(policy)],
  ["a second todo in progress", ({ policy }) => FOCUS[policy.focus]],
  ["none in progress", ({ policy }) => PROMOTE[policy.promote]],
  [
    "a mistake in one call",
    ({ policy }) => (policy.batch === "partial" ? "what could be done counts" : "nothing counts"),
  ],
  ["the same text twice", ({ policy }) => (policy.duplicates === "refuse" ? "refused when it is added" : "allowed")],
  ["a finished list", ({ policy }) => CLEAR[policy.clearWhenDone]],
  ["sub-agents have", ({ policy }) => SCOPE[policy.scope]],
  ["guidance", guidance],
];

const PLACES: Readonly<Record<Guidance["place"], string>> = {
  description: "with the tool",
  instructions: "in the server's instructions",
};

function guidance({ guidance: given }: Dialect): string {
  return given ? `${tokens(given.text)} tokens, ${PLACES[given.place]}` : "none";
}

function tools(dialect: Dialect): string {
  const offered = offeredTools(dialect);
  return dialect.tools
    .map((tool) => (offered.includes(tool) ? `\`${tool.name}\`` : `\`${tool.name}\` (older, still answered)`))
    .join(", ");
}

function limits({ limits: { todos, notes, codePoints, bytes } }: TodoPolicy): string {
  const figures: readonly (readonly [number | null, string])[] = [
    [todos, "todos"],
    [codePoints, "characters a text"],
    [bytes, "bytes a text"],
    [notes, "notes a todo"],
  ];
  const known = figures.flatMap(([figure, of]) => (figure === null ? [] : [`${figure.toLocaleString("en")} ${of}`]));
  return known.join(", ") || "none";
}

/** What docs/dialects.md shows of all dialects. */
export function dialectsTable(): string {
  const header = ["", ...DIALECTS.map(({ name }) => `\`${name}\``)];
  const rows = ROWS.map(([question, answer]) => [question, ...DIALECTS.map(answer)]);
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
