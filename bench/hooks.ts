// npm run bench:hooks [-- --rounds N --against DIST --only claude-code|codex]: what an agent waits for because we are
// wired: per tool call, and from the start of its process to its first request. The real clients, each with a scripted
// model that stamps every request; without us, with hooks through our server, and with commands only, in turn inside
// every round. --against adds an earlier build, by the folder that has its milepost.cjs.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createClaude } from "../test/real-clients/drivers/claude.js";
import type { Client, ClientEnd } from "../test/real-clients/drivers/client.js";
import { type ClientBinaries, ensureClients } from "../test/real-clients/drivers/clients.js";
import { createCodex } from "../test/real-clients/drivers/codex.js";
import { jsonLines } from "../test/real-clients/drivers/run-process.js";
import { openSandbox, type Sandbox } from "../test/real-clients/drivers/sandbox.js";
import { turns } from "../test/real-clients/model/requests.js";
import { type ModelScript, say } from "../test/real-clients/model/script.js";
import { type Goal, type Row, report } from "./report.js";
import { median } from "./rounds.js";

const SEQUENTIAL = 30;
const REPLIES = 10;
const AT_ONCE = 3;
const CALLS = SEQUENTIAL + REPLIES * AT_ONCE;
const STARTS = 3; // more runs in each round that only start: one start is a noisier figure than thirty calls
const START_LIMIT_MS = 60;

const CLIENTS: { name: string; limit: number; create: (binaries: ClientBinaries) => Client }[] = [
  { name: "Claude Code", limit: 25, create: ({ claude }) => createClaude(claude) },
  { name: "Codex", limit: 20, create: ({ codex }) => createCodex(codex) },
];

/** Milliseconds of one round: medians of its calls and replies. */
interface Times {
  readonly call: number;
  /** Their mean: a call that is slow now and then is in no median. */
  readonly meanCall: number;
  readonly parallelCall: number;
  readonly parallelReply: number;
  readonly start: number;
}

interface Contestant {
  readonly client: Client;
  readonly name: string;
  readonly way: string;
  readonly limit: number;
  readonly sandbox: Sandbox;
  readonly rounds: Times[];
  /** Calls that the model made, and those of them that are in the store. */
  made: number;
  recorded: number;
}

const { values } = parseArgs({
  options: { rounds: { type: "string" }, against: { type: "string" }, only: { type: "string" } },
});
const ROUNDS = Math.max(3, Number(values.rounds ?? 5));
const WITHOUT = "without us";

let echoes = 0;
/** A command of its own for each call: the same one again and again would be answered as a loop. */
const echo = () => ({ type: "shell", command: `echo ${++echoes}` }) as const;

const workScript = (): ModelScript => [
  ...Array.from({ length: SEQUENTIAL }, () => ({ calls: [echo()] })),
  ...Array.from({ length: REPLIES }, () => ({ calls: Array.from({ length: AT_ONCE }, echo) })),
  say("All done."),
];

async function openContestants(binaries: ClientBinaries): Promise<Contestant[]> {
  const contestants: Contestant[] = [];
  for (const { name, limit, create } of CLIENTS) {
    const client = create(binaries);
    if (values.only !== undefined && values.only !== client.agent) continue;
    const add = async (way: string, wire: (sandbox: Sandbox) => Promise<void>, command?: string) => {
      const sandbox = await openSandbox((_, usual) => ({ ...usual, ...(command === undefined ? {} : { command }) }));
      await wire(sandbox);
      contestants.push({ client, name, way, limit, sandbox, rounds: [], made: 0, recorded: 0 });
    };
    await add(WITHOUT, async () => undefined);
    for (const way of await knownWays()) await add(way.name, (sandbox) => setup(sandbox, client, way.flags));
    if (values.against !== undefined) {
      const command = resolve(values.against, "milepost.cjs");
      await add("earlier build", (sandbox) => setup(sandbox, client, []), command);
    }
  }
  return contestants;
}

/** A build from before hooks went through the server has commands only, and no flag for it. */
async function knownWays(): Promise<{ name: string; flags: readonly string[] }[]> {
  const sandbox = await openSandbox();
  const { out } = await sandbox.milepost(["setup", "--help"]);
  await sandbox.remove();
  if (!out.includes("--hooks")) return [{ name: "commands", flags: [] }];
  return ["server", "commands"].map((name) => ({ name, flags: ["--hooks", name] }));
}

async function setup(sandbox: Sandbox, { agent }: Client, flags: readonly string[]): Promise<void> {
  const { exit, err } = await sandbox.milepost(["setup", agent, "--yes", ...flags]);
  if (exit !== 0) throw new Error(`milepost setup failed:\n${err}`);
}

async function run({ client, sandbox, name, way }: Contestant, script: ModelScript): Promise<ClientEnd> {
  const end = await client.run({ sandbox, prompt: "Do the work.", script });
  const asked = turns(end.requests).length;
  if (end.exit !== 0 || end.failures.length > 0 || asked !== script.length)
    throw new Error(`${name} ${way}: ${asked} requests of ${script.length}\n${end.failures.join("\n")}\n${end.err}`);
  return end;
}

async function round(contestant: Contestant): Promise<Times> {
  const work = await run(contestant, workScript());
  const at = turns(work.requests).map((request) => request.at);
  const gaps = at.slice(1).map((time, nth) => time - (at[nth] ?? Number.NaN));
  const calls = gaps.slice(0, SEQUENTIAL);
  const reply = median(gaps.slice(SEQUENTIAL));
  const starts = [startOf(work)];
  for (let nth = 0; nth < STARTS; nth += 1) starts.push(startOf(await run(contestant, [say("Hello.")])));
  if (contestant.way !== WITHOUT) {
    contestant.made += CALLS;
    contestant.recorded += await recordedCalls(contestant.sandbox, work.session);
  }
  return {
    call: median(calls),
    meanCall: calls.reduce((sum, time) => sum + time, 0) / SEQUENTIAL,
    parallelCall: reply / AT_ONCE,
    parallelReply: reply,
    start: median(starts),
  };
}

const startOf = ({ requests, startedAt }: ClientEnd) => (turns(requests)[0]?.at ?? Number.NaN) - startedAt;

/** Each completed call once: a call that is there twice makes the number too large, and the goal is missed, too. */
async function recordedCalls(sandbox: Sandbox, session: string): Promise<number> {
  const { out } = await sandbox.milepost(["events", "--stream", `calls:${session}`]);
  const ends = jsonLines(out) as { type?: string; data?: { status?: string; tool?: string } }[];
  return ends.filter(({ type, data }) => type === "call.ended" && data?.status !== "failed" && data?.tool !== "exec")
    .length;
}

/** The median over the rounds of what each round by itself says: a machine that slows down slows down both. */
function added(contestant: Contestant, bare: Contestant, time: keyof Times): number {
  return median(contestant.rounds.map((own, nth) => own[time] - (bare.rounds[nth]?.[time] ?? Number.NaN)));
}

function toRow(contestant: Contestant, bare: Contestant): Row {
  const { name, way, limit, rounds } = contestant;
  const own = (time: keyof Times) => median(rounds.map((one) => one[time])).toFixed(1);
  const more = (time: keyof Times) => (contestant === bare ? "" : added(contestant, bare, time).toFixed(1));
  return {
    client: name,
    hooks: way,
    "a call, ms": own("call"),
    [`added (${SEQUENTIAL} in a row)`]: more("call"),
    "mean of these": more("meanCall"),
    [`added (${REPLIES} x ${AT_ONCE} at once)`]: more("parallelCall"),
    "added to a reply of 3": more("parallelReply"),
    "limit, ms": limit,
    "start to request, ms": own("start"),
    "added to the start": more("start"),
    "limit of start, ms": START_LIMIT_MS,
  };
}

function toGoals(contestant: Contestant, bare: Contestant): Goal[] {
  const { name, way, limit, made, recorded } = contestant;
  if (contestant === bare) return [];
  const facts: Goal[] = [
    { name: `${name}, ${way}: calls in the store`, actual: recorded, least: made },
    { name: `${name}, ${way}: calls in the store, none twice`, actual: recorded, most: made },
  ];
  if (way !== "server") return facts; // the others are there to compare with
  const atOnce = `${AT_ONCE} calls at once`;
  return [
    { name: `${name}: ms added per call`, actual: added(contestant, bare, "call"), most: limit },
    { name: `${name}: ms added per call, ${atOnce}`, actual: added(contestant, bare, "parallelCall"), most: limit },
    { name: `${name}: ms added to the start`, actual: added(contestant, bare, "start"), most: START_LIMIT_MS },
    ...facts,
  ];
}

const contestants = await openContestants(await ensureClients());
try {
  // The first round is a warm-up and does not count. The order turns: nobody is always the one after the slowest.
  for (let nth = 0; nth <= ROUNDS; nth += 1)
    for (let turn = 0; turn < contestants.length; turn += 1) {
      const contestant = contestants[(nth + turn) % contestants.length];
      const times = contestant && (await round(contestant));
      if (times && nth > 0) contestant.rounds.push(times);
    }
} finally {
  for (const { sandbox } of contestants) await sandbox.remove();
}
const bareOf = (one: Contestant) =>
  contestants.find((other) => other.name === one.name && other.way === WITHOUT) ?? one;
report(
  "hooks",
  contestants.map((one) => toRow(one, bareOf(one))),
  contestants.flatMap((one) => toGoals(one, bareOf(one))),
);
