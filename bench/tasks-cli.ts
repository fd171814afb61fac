import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
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
        stores.map(({ size, path }) => ({ ...command(path, () => words), name: nameOf(words, size) })),
      ),
    );
  return placings;
}

function nameOf(words: readonly string[], size: number): string {
  return `milepost task ${words.filter((word) => !word.includes(" ")).join(" ")}, ${size} tasks`;
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

/** One command as a process. `words` are asked for each time; `exit` is how it should end. */
export function command(url: string, words: () => readonly string[], exit = 0): Contestant {
  // The variable makes Node 20 read certificates at every start: it would flatter the ratio.
  const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
  const env = { ...inherited, MILEPOST_STORE: url, MILEPOST_LIST: LIST };
  return {
    name: "milepost task",
    run: async () => {
      const line = words();
      const start = performance.now();
      const child = spawn(process.execPath, [bin, "task", ...line], { env, stdio: ["ignore", "pipe", "pipe"] });
      child.stdout.resume();
      const said = text(child.stderr);
      const [code] = await once(child, "close");
      if (code !== exit) throw new Error(`milepost task ${line.join(" ")} ended with ${code}: ${await said}`);
      return (performance.now() - start) * 1000;
    },
  };
}
