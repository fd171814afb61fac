import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import type { EventStore } from "../store/event-store.js";
import { StoreTrouble } from "../store/trouble.js";

export type Environment = { readonly [name: string]: string | undefined };

export interface ChosenStore {
  readonly url: string;
  /** Nobody named it: the folder is Milepost's own. */
  readonly isOwnFolder: boolean;
}

/** The store that was asked for, else the embedded file in Milepost's own folder. */
export function chooseStore(asked: string | undefined, environment: Environment): ChosenStore {
  const url = asked || environment.MILEPOST_STORE;
  return url ? { url, isOwnFolder: false } : { url: join(homeFolder(environment), "milepost.db"), isOwnFolder: true };
}

/** Where everything of ours lies, unless a store was named; what setup has to remember, in any case. */
export function homeFolder({ MILEPOST_HOME, XDG_STATE_HOME, LOCALAPPDATA, HOME }: Environment): string {
  if (MILEPOST_HOME) return MILEPOST_HOME;
  // HOME of the environment we were given: it need not be the one of this process, as in tests.
  return join(XDG_STATE_HOME || LOCALAPPDATA || join(HOME || userFolder(), ".local", "state"), "milepost");
}

/** The person's own folder. A container may run us under a number that no list of users has, and without HOME. */
export function userFolder(): string {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const folder = find();
      if (folder !== "") return folder;
    } catch {
      // Said below, if nobody knows.
    }
  }
  throw new StoreTrouble(
    "no-home",
    "Your home folder is not known: set HOME, or MILEPOST_HOME to a folder of your own.",
  );
}

/** The store's clock. Times in a store are compared with it: on a server it is another machine's than ours. */
export function storeNow(store: EventStore): Promise<number> {
  return store.look(function* ({ now }) {
    yield* [];
    return now;
  });
}
