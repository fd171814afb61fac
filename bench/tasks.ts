// npm run bench:tasks: what a long list of tasks costs beside a short one, in one run. Only ratios are goals: the
// machine is noisy, and another one has another disk. The rest are plain figures.
// npm run bench:tasks -- --only graph (or sqlite, postgres, commands; several with commas) runs a part of it.
import { copyFileSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { PROJECTIONS } from "../src/app/views.js";
import { openStore } from "../src/store/open.js";
import type { Store } from "../src/store/store.js";
import { type PostgresServer, startPostgres } from "../test/postgres-server.js";
import { copyToPostgres } from "./copy-to-postgres.js";
import { type Goal, type Row, report } from "./report.js";
import type { Placing } from "./rounds.js";
import { runCommands } from "./tasks-cli.js";
import { graphWork, makeGraph } from "./tasks-graph.js";
import { makeTasks } from "./tasks-made.js";
import { addRate, claimRate } from "./tasks-rates.js";
import { readyAndClaim, type SizedStore } from "./tasks-ready.js";

const SMALL = 1000;
const LARGE = 100_000;

interface Measured {
  readonly rows: readonly Row[];
  readonly goals: readonly Goal[];
}

const folder = mkdtempSync(join(realpathSync(tmpdir()), "milepost-bench-"));
let graphs = 0;
const fileOf = (size: number) => join(folder, `tasks-${size}.db`);
const graphFile = join(folder, "graph.db");
const PARTS: Readonly<Record<string, () => Promise<Measured>>> = {
  sqlite: () => measure("SQLite", makeFile),
  postgres: () =>
    onPostgres([SMALL, LARGE].map(String), (urlOf) =>
      measure("PostgreSQL, not synced", (size) => makeDatabase(size, urlOf(String(size)))),
    ),
  commands,
  graph: async () => graph("SQLite", await makeGraphFile()),
  "postgres-graph": () =>
    onPostgres(["graph"], async (urlOf) => {
      await copyToPostgres(await makeGraphFile(), urlOf("graph"));
      return graph("PostgreSQL, not synced", urlOf("graph"));
    }),
};

try {
  const parts: Measured[] = [];
  for (const name of askedParts()) parts.push((await PARTS[name]?.()) ?? { rows: [], goals: [] });
  report(
    "tasks",
    parts.flatMap(({ rows }) => rows),
    parts.flatMap(({ goals }) => goals),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function askedParts(): readonly string[] {
  const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
  const names = only === undefined ? Object.keys(PARTS) : only.split(",");
  const unknown = names.find((name) => !(name in PARTS));
  if (unknown !== undefined) throw new Error(`No part ${unknown}; there are ${Object.keys(PARTS).join(", ")}`);
  return names;
}

interface Made {
  readonly url: string;
  /** Tasks in a second, where they were made one by one. */
  readonly rate?: number;
}

async function makeFile(size: number): Promise<Made> {
  const store = await openStore(fileOf(size), { projections: PROJECTIONS });
  const made = await makeTasks(store, size);
  await store.close();
  return { url: fileOf(size), rate: made };
}

/** The long list is a copy of the one in a file. */
async function makeDatabase(size: number, url: string): Promise<Made> {
  if (size === LARGE) {
    if (!existsSync(fileOf(size))) await makeFile(size);
    await copyToPostgres(fileOf(size), url);
    return { url };
  }
  const store = await openStore(url, { projections: PROJECTIONS });
  const made = await makeTasks(store, size);
  await store.close();
  return { url, rate: made };
}

/** Before anything is measured on it: it may be copied later. */
async function makeGraphFile(): Promise<string> {
  const path = join(folder, `graph-${++graphs}.db`);
  if (!existsSync(graphFile)) await makeGraph(graphFile);
  copyFileSync(graphFile, path);
  copyFileSync(`${graphFile}-head`, `${path}-head`);
  return path;
}

/** Both sizes on one engine. Each has a store of its own: what one has in its cache helps nobody else. */
async function measure(where: string, make: (size: number) => Promise<Made>): Promise<Measured> {
  const stores: SizedStore[] = [];
  try {
    const speeds: Row[] = [];
    let url = "";
    for (const size of [SMALL, LARGE]) {
      const made = await make(size);
      url = made.url;
      stores.push({ size, store: await openStore(url, { projections: PROJECTIONS }) });
      if (made.rate !== undefined)
        speeds.push(rate(where, `tasks made and worked on, 1,000 in a commit, up to ${size}`, made.rate));
    }
    const { ready, claim } = await readyAndClaim(stores);
    const rates = await ratesOf(where, url, stores.at(-1)?.store);
    return {
      rows: [...rows(where, [...ready, ...claim]), ...speeds, ...rates],
      goals: [
        goal(`${where}: ready at ${LARGE} tasks, in times of ${SMALL}`, ready, 2),
        goal(`${where}: claim at ${LARGE} tasks, in times of ${SMALL}`, claim, 2),
      ],
    };
  } finally {
    for (const { store } of stores) await store.close();
  }
}

async function ratesOf(where: string, url: string, store: Store | undefined): Promise<readonly Row[]> {
  return [
    rate(where, `claims by 1 process, of ${LARGE} tasks`, await claimRate(url, 1)),
    rate(where, `claims by 8 processes, of ${LARGE} tasks`, await claimRate(url, 8)),
    ...(store ? [rate(where, `adds, each its own commit, to ${LARGE} tasks`, await addRate(store))] : []),
  ];
}

/** Left out where there is none. The server of the tests does not sync, so this is about queries and round trips. */
async function onPostgres(
  names: readonly string[],
  work: (urlOf: (name: string) => string) => Promise<Measured>,
): Promise<Measured> {
  let server: PostgresServer;
  try {
    server = await startPostgres();
  } catch (error) {
    console.log(`PostgreSQL was left out: ${error instanceof Error ? error.message : error}`);
    return { rows: [], goals: [] };
  }
  try {
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    for (const name of names) await admin.query(`CREATE DATABASE tasks_${name}`);
    await admin.end();
    return await work((name) => server.url.replace(/[^/]*$/, `tasks_${name}`));
  } finally {
    await server.stop();
  }
}

/** What is tied into a large graph, beside a note on one of its tasks. */
async function graph(where: string, url: string): Promise<Measured> {
  const { commands: placings, longestWait } = await graphWork(url);
  const [, ...tying] = placings;
  return {
    rows: placings.map(({ name, time, rate: beside }) => ({
      where,
      what: name,
      "µs each": time.toFixed(0),
      "cost beside a note": (1 / beside).toFixed(2),
    })),
    goals: [
      ...tying.map(({ name, rate: beside }) => ({
        name: `${where}: ${name}, in times of note`,
        actual: 1 / beside,
        most: 3,
      })),
      { name: `${where}: the longest that a writer beside them waits, in ms`, actual: longestWait, most: 1000 },
    ],
  };
}

async function commands(): Promise<Measured> {
  const placings = await runCommands(folder);
  return {
    rows: placings.flatMap((pair) => rows("a process each", pair)),
    goals: placings.map((pair) => goal(`${pair.at(-1)?.name}, in times of 10`, pair, 1.3)),
  };
}

function rows(where: string, placings: readonly Placing[]): readonly Row[] {
  return placings.map(({ name, time, rate: beside }) => ({
    where,
    what: name,
    "µs each": time.toFixed(0),
    "cost beside the short list": (1 / beside).toFixed(2),
  }));
}

function rate(where: string, what: string, each: number): Row {
  return { where, what, "in a second": each.toFixed(0) };
}

function goal(name: string, placings: readonly Placing[], most: number): Goal {
  return { name, actual: 1 / (placings[1]?.rate ?? Number.NaN), most };
}
