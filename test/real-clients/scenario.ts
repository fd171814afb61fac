import { expect, onTestFailed } from "vitest";
import type { Client, ClientEnd, ClientRun } from "./drivers/client.js";
import type { ProcessEnd } from "./drivers/run-process.js";
import { injected, news } from "./model/requests.js";
import { type ModelRequest, type ModelScript, NEVER_TOLD, todo } from "./model/script.js";

// What the scenarios share. The clients are 800 MB, so only MILEPOST_TESTS=real runs them; real-long: at full size.
export const isAsked = /^real(?:-long)?$/.test(process.env.MILEPOST_TESTS ?? "");
export const INSTALL_MS = 600_000;
export const SCENARIO_MS = 240_000;

/** Words that no client says itself. */
export const ITEMS = ["Read the leap-year code", "Fix the leap-year bug", "Run the leap-year tests"];
export const [DONE = "", ...OPEN] = ITEMS;
/** Plans three todos and finishes the first. */
export const begin = [todo({ add: ITEMS }), todo({ done: 1 })];

const EXCERPT = 700;

/** A process that ended with 0. */
export async function expectGood(process: Promise<ProcessEnd>): Promise<ProcessEnd> {
  const end = await process;
  expect(end, end.err).toMatchObject({ exit: 0 });
  return end;
}

/** Runs one prompt to a good end; when the test fails, what the model read is printed. */
export async function runTurn(client: Client, run: ClientRun): Promise<ClientEnd> {
  let end = await client.run(run);
  for (let tries = 1; tries < MOST_TRIES && end.failures.some(isUntold); tries++) {
    print(`the model was not told of our tool, try ${tries} of ${MOST_TRIES}`, end.failures);
    end = await client.run(run);
  }
  onTestFailed(() => print(`what the model read in "${run.prompt}"`, end.requests.map(gist)));
  expect(end, `${end.err}\n${end.out.slice(-2000)}`).toMatchObject({ exit: 0 });
  return end;
}

// Codex waits for an MCP server for about a second; on a busy machine its first request may go out before that.
const MOST_TRIES = 3;
const isUntold = (failure: string) => failure.includes(NEVER_TOLD);

/** Texts of hooks that name one of the todos. */
export const itemTexts = (texts: readonly string[]) =>
  texts.filter((text) => ITEMS.some((item) => text.includes(item)));

/** The digests among what hooks said. */
export const digests = (request: ModelRequest) =>
  injected(request.texts).filter((text) => /^Milepost: the open /.test(text));

/** The reminders among what hooks said. */
export const reminders = (request: ModelRequest) =>
  injected(request.texts).filter((text) => /^Milepost reminder: /.test(text));

const gist = (request: ModelRequest) => ({
  kind: request.kind,
  news: news(request).map(({ from, text }) => `${from}: ${text.slice(-300)}`),
});

export function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The client sent no such request.");
  return value;
}

/** Part of the proof: what was captured goes to the screen, shortened. */
export function print(label: string, texts: readonly unknown[]): void {
  const lines = texts.map((text) =>
    typeof text === "string" ? text.replaceAll(/(?:^[ ]*\n)+/gm, "") : JSON.stringify(text),
  );
  console.log(`${label}:\n${lines.map((line) => `  ${excerpt(line).replaceAll("\n", "\n  ")}`).join("\n")}`);
}

const excerpt = (text: string) => (text.length > EXCERPT ? `${text.slice(0, EXCERPT)} [...]` : text);

/** `times` copies of a script. */
export const repeat = (times: number, script: (nth: number) => ModelScript): ModelScript =>
  Array.from({ length: times }, (_, nth) => script(nth + 1)).flat();
