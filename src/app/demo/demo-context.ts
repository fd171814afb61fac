import type { CommandContext } from "../command-definition.js";
import type { Milepost } from "../milepost.js";
import type { Environment } from "../store-place.js";

/** Made up: nothing is there, so no settings, no Git and no transcripts of this machine are found. */
const HOME = "/demo";
export const DEMO_FOLDER = `${HOME}/shop`;
/** The list of tasks that both agents share. */
export const DEMO_LIST = "shop";

/** What a terminal and an editor need; nothing else of the person's environment reaches the demo. */
const KEPT = /^(?:TERM|COLORTERM|NO_COLOR|FORCE_COLOR|LANG|LC_\w+|EDITOR|VISUAL|PATH|TMUX|TERM_PROGRAM|SSH_\w+)$/;

/**
 * What commands of the demo work with: its own store, in its own project. `person`: the command at whose terminal it
 * is played; without one nobody looks, and nobody can be asked.
 */
export function demoContext(milepost: Milepost, person: CommandContext = NOBODY): CommandContext {
  return {
    ...person,
    store: { url: "memory:", isOwnFolder: true },
    environment: demoEnvironment(person.environment),
    folder: DEMO_FOLDER,
    program: { ...person.program, userFolder: HOME },
    open: async () => milepost,
  };
}

function demoEnvironment(environment: Environment): Environment {
  return {
    ...Object.fromEntries(Object.entries(environment).filter(([name]) => KEPT.test(name))),
    HOME,
    MILEPOST_LIST: DEMO_LIST,
  };
}

const nothing = async () => undefined;

const NOBODY: CommandContext = {
  store: { url: "memory:", isOwnFolder: true },
  environment: {},
  folder: DEMO_FOLDER,
  program: { node: "", bundle: "", userFolder: HOME, temporaryFolder: HOME, platform: "" },
  line: [],
  open: () => Promise.reject(new Error("The demo has a store of its own.")),
  input: { bytes: noBytes(), isTerminal: false },
  output: { write: nothing, isTerminal: false, hasColor: false, columns: 80 },
  notice: nothing,
  remark: nothing,
  progress: () => undefined,
  confirm: nothing,
  ask: nothing,
  interrupted: () => new AbortController().signal,
  sleep: nothing,
};

async function* noBytes(): AsyncGenerator<Uint8Array> {
  yield* [];
}
