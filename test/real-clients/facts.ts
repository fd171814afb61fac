import { expect } from "vitest";
import * as z from "zod";
import type { ClientEnd } from "./drivers/client.js";
import { jsonLines } from "./drivers/run-process.js";
import type { Sandbox } from "./drivers/sandbox.js";
import { turns } from "./model/requests.js";
import type { ModelStep } from "./model/script.js";
import { print } from "./scenario.js";

// What the store knows of a session, beside what its model really did.

const eventSchema = z.looseObject({
  stream: z.string(),
  type: z.string(),
  at: z.string(),
  data: z.looseObject({
    call: z.string().optional(),
    tool: z.string().optional(),
    status: z.string().optional(),
    subject: z.string().optional(),
  }),
});
type StoredEvent = z.infer<typeof eventSchema>;

const LIFE = ["session.started", "turn.started", "turn.ended", "session.ended"] as const;

/** The events of one session, its calls included, as they were written. */
export async function eventsOf(sandbox: Sandbox, session: string): Promise<StoredEvent[]> {
  const { out } = await sandbox.milepost(["events"]);
  const events = jsonLines(out).map((line) => eventSchema.parse(line));
  return events.filter(({ stream }) => stream.endsWith(`:${session}`));
}

/** The commands of a session's calls that have ended, in the order of the store. */
export const endedCalls = (events: readonly StoredEvent[]) => events.filter(({ type }) => type === "call.ended");

let steps = 0;
/** A reply with this many calls at once; each has a command of its own, by which its fact is known again. */
export function work(calls = 1, first = ""): ModelStep & { readonly commands: readonly string[] } {
  const commands = Array.from({ length: calls }, () => `${first} echo step ${++steps}`.trim());
  return { commands, calls: commands.map((command) => ({ type: "shell" as const, command })) };
}

/** The facts of one turn of a session that has ended, tools of ours apart: each once, none lost. */
export function expectFacts(events: readonly StoredEvent[], replies: readonly (readonly string[])[]): void {
  const calls = commandCalls(events);
  const told = calls.map(({ data }) => `${data.status} ${data.subject}`);
  const lines = events.map(({ type, data }) => `${type} ${data.status ?? ""} ${data.subject ?? ""}`.trim());
  const [life, ids] = [events.map(({ type }) => type).filter(isLife), calls.map(({ data }) => data.call)];
  const wanted = replies.flatMap((commands) => commands.map((command) => `completed ${command}`));
  expect([...told].sort(), lines.join("\n")).toEqual([...wanted].sort());
  expect(new Set(ids).size, lines.join("\n")).toBe(ids.length);
  expect(life, lines.join("\n")).toEqual(LIFE);
}

/** As `expectFacts`, and the calls of different replies are in order. */
export function expectFactsInOrder(events: readonly StoredEvent[], replies: readonly (readonly string[])[]): void {
  expectFacts(events, replies);
  const replyOf = (command: string | undefined) => replies.findIndex((one) => one.includes(command ?? ""));
  const order = commandCalls(events).map(({ data }) => replyOf(data.subject));
  expect(order).toEqual([...order].sort((a, b) => a - b));
}

const commandCalls = (events: readonly StoredEvent[]) => endedCalls(events).filter(({ data }) => data.tool === "Bash");
const isLife = (type: string): type is (typeof LIFE)[number] => LIFE.some((one) => one === type);

/** What the client itself has kept of the session must be what the script asked for, or the comparison means nothing. */
export function expectRan(end: ClientEnd, replies: readonly (readonly string[])[]): void {
  const last = JSON.stringify(turns(end.requests).at(-1)?.body);
  for (const command of replies.flat()) expect(last).toContain(command);
}

export function printFacts(label: string, events: readonly StoredEvent[]): void {
  const lines = events.map(({ type, data }) => `${type} ${data.tool ?? ""} ${data.status ?? ""} ${data.subject ?? ""}`);
  print(label, [lines.join("\n")]);
}
