import type { Store } from "../../store/store.js";
import { StoreTrouble } from "../../store/trouble.js";
import type { CommandContext } from "../command-definition.js";
import { openMilepost } from "../milepost.js";

const OPENED = new WeakMap<CommandContext, Promise<Store>>();

/** Looking needs no store: where our own cannot be made, what was read is forgotten at the end. */
export function storeToRead(context: CommandContext): Promise<Store> {
  const known = OPENED.get(context);
  if (known) return known;
  const opening = openToLook(context);
  OPENED.set(context, opening);
  return opening;
}

async function openToLook({ open, store, notice }: CommandContext): Promise<Store> {
  try {
    return (await open("read")).store;
  } catch (error) {
    if (!store.isOwnFolder || !(error instanceof StoreTrouble) || !UNMADE.includes(error.code)) throw error;
    await notice(`${error.message} What is read now is not saved.`);
    return (await openMilepost({ store: "memory:" })).store;
  }
}

const UNMADE: readonly string[] = ["store-not-yours", "store-read-only", "store-full"];
