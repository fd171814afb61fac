import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { PROJECTIONS } from "../src/app/views.js";
import { openStore } from "../src/store/open.js";
import { type Contestant, compete, type Placing } from "./rounds.js";
import { LIST, makeTasks } from "./tasks-made.js";

const ROUNDS = 31;
const FEW = 10;
const MANY = 10_000;
const bin = resolve("dist/milepost.cjs");

/** Each command on the long list beside the short one, which comes first. */
export async function runCommands(folder: string): Promise<readonly (readonly Placing[])[]> {
  const stores = [await makeStore(folder, FEW), await makeStore(folder, MANY)];
  const placings: (readonly Placing[])[] = [];
  for (const words of [
    ["add", "Look at the flaky test"],
    ["list", "--limit", "20"],
    ["list", "--limit", "20", "--status", "pending"],
  ])
    placings.push(
      await compete(
        ROUNDS,
        stores.map((store) => command(store, words)),
      ),
    );
  return placings;
}

interface MadeStore {
  readonly size: number;
  readonly path: string;
}

async function makeStore(folder: string, size: number): Promise<MadeStore> {
  const path = join(folder, `commands-${size}.db`);
  const store = await openStore(path, { projections: PROJECTIONS });
  await makeTasks(store, size);
  await store.close();
  return { size, path };
}

function command({ size, path }: MadeStore, [verb = "", ...words]: readonly string[]): Contestant {
  // The variable makes Node 20 read certificates at every start: it would flatter the ratio.
  const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
  const env = { ...inherited, MILEPOST_STORE: path, MILEPOST_LIST: LIST };
  const shown = [verb, ...words.filter((word) => !word.includes(" "))].join(" ");
  return {
    name: `milepost task ${shown}, ${size} tasks`,
    run: async () => {
      const start = performance.now();
      const child = spawn(process.execPath, [bin, "task", verb, ...words], {
        env,
        stdio: ["ignore", "pipe", "inherit"],
      });
      child.stdout.resume();
      const [code] = await once(child, "close");
      if (code !== 0) throw new Error(`milepost task ${shown} ended with ${code}`);
      return (performance.now() - start) * 1000;
    },
  };
}
