import type { Command } from "../../src/app/command-definition.js";
import { SECTIONS } from "../../src/app/command-table.js";

/** A command with everything that is known of it. */
export interface Listed {
  /** As it is typed behind `milepost`. */
  readonly name: string;
  readonly summary: string;
  readonly command: Command;
}

/** The commands of a group have one heading together. */
export interface Listing {
  readonly name: string;
  readonly summary: string;
  readonly details: string;
  readonly examples: readonly string[];
  readonly verbs: readonly Listed[];
}

export interface Chapter {
  readonly title: string;
  readonly entries: readonly (Listed | Listing)[];
  readonly surfaces: readonly { readonly name: string; readonly summary: string; readonly details: string }[];
}

/** All commands as help groups them. */
export async function chapters(): Promise<readonly Chapter[]> {
  return Promise.all(
    SECTIONS.map(async ({ title, commands, surfaces }) => ({ title, surfaces, entries: await loaded(commands) })),
  );
}

function loaded(commands: (typeof SECTIONS)[number]["commands"]): Promise<Chapter["entries"]> {
  return Promise.all(
    commands.map(async (entry): Promise<Listed | Listing> => {
      if (!("verbs" in entry)) return { name: entry.name, summary: entry.summary, command: await entry.load() };
      const verbs = entry.verbs.map(async ({ name, summary, load }) => {
        return { name: `${entry.name} ${name}`, summary, command: await load() };
      });
      return { ...entry, verbs: await Promise.all(verbs) };
    }),
  );
}

export const allListed = (all: readonly Chapter[]): readonly Listed[] =>
  all.flatMap(({ entries }) => entries.flatMap((entry) => ("verbs" in entry ? entry.verbs : [entry])));
