import { fail, ok, type Result } from "../../core/result.js";
import { inWords } from "../../core/text/length.js";
import type { CommandContext } from "../command-definition.js";
import { isFirstClient } from "../hooks/hook-input.js";
import type { Offer, OfferingClient } from "../settings.js";
import { wrapped, wrappedBehind } from "../terminal/setup-changes.js";
import type { Agent } from "./agents/agent.js";

// Which list a model keeps: one of two, never both. Asked once; the answer is a setting of ours.

export interface ListFlags {
  readonly todo?: Offer["todo"] | undefined;
  readonly tasks: boolean;
  readonly noTasks: boolean;
  readonly plans: boolean;
  readonly noPlans: boolean;
  readonly hooks?: Offer["hooks"] | undefined;
  /** An older way to say `--todo ours`. */
  readonly noOwnList: boolean;
}

export type Offers = Readonly<Partial<Record<OfferingClient, Offer>>>;

interface Wiring {
  readonly earlier: (agent: Agent) => Offer | undefined;
  /** The command that was typed, with some flags changed. */
  readonly again: (changes: { readonly agent: OfferingClient; readonly todo: Offer["todo"] }) => string;
}

const ONE_WAY = "--hooks is for Claude Code and Codex: hooks of other agents have one way only. Leave it out.";

/** What is offered without a question: by the flags, else as chosen earlier, else ours. */
export function plannedOffers(agents: readonly Agent[], flags: ListFlags, { earlier, again }: Wiring): Result<Offers> {
  const asked = flags.todo ?? (flags.noOwnList ? "ours" : undefined);
  if (flags.todo === "client" && flags.noOwnList)
    return fail("bad-usage", "--no-own-list is --todo ours, and --todo client was given, too. Leave one out.");
  if (flags.hooks && agents.length > 0 && !agents.some(({ name }) => isFirstClient(name)))
    return fail("bad-usage", ONE_WAY);
  const offers: Partial<Record<OfferingClient, Offer>> = {};
  for (const agent of agents) {
    const old = earlier(agent);
    const todo = asked ?? old?.todo ?? "ours";
    const asking = serverFlag(flags);
    if (todo === "client" && asking !== undefined)
      return fail("bad-usage", `${asking} needs our server: ${again({ agent: agent.name, todo: "ours" })}`);
    const tasks = todo === "ours" && !flags.noTasks && (flags.tasks || old?.tasks === true);
    const plans = todo === "ours" && !flags.noPlans && (flags.plans || old?.plans === true);
    const hooks = isFirstClient(agent.name) ? { hooks: flags.hooks ?? old?.hooks ?? "server" } : {};
    offers[agent.name] = { todo, tasks, plans, ...hooks };
  }
  return ok(offers);
}

/** The flag that asks for something that only our server has. */
function serverFlag({ tasks, plans, hooks }: ListFlags): string | undefined {
  if (tasks) return "--tasks";
  if (plans) return "--plans";
  return hooks === "server" ? "--hooks server" : undefined;
}

export function withList(offers: Offers, agents: readonly Agent[], todo: Offer["todo"]): Offers {
  const changed = agents.map(({ name }) => {
    const [tasks, plans] = [offers[name]?.tasks, offers[name]?.plans].map((is) => todo === "ours" && is === true);
    return [name, { ...offers[name], todo, tasks, plans }];
  });
  return { ...offers, ...Object.fromEntries(changed) };
}

const CHOICES: readonly (readonly [todo: Offer["todo"], words: RegExp])[] = [
  ["ours", /^(?:|1|ours|milepost)$/i],
  ["client", /^(?:2|client)$/i],
];

/** Asks until it is one of them. Undefined: there is nobody to answer. */
export async function askList(
  { ask, output }: CommandContext,
  about: { readonly isAll: boolean; readonly agents: readonly Agent[]; readonly tools: readonly string[] },
): Promise<Offer["todo"] | undefined> {
  const where = about.isAll ? "" : ` in ${inWords(about.agents.map(({ title }) => title))}`;
  const lost = about.tools.length > 0 ? `; without ${about.tools.join(" and ")}` : "";
  const rows = [
    wrapped(`Which list should the model keep${where}?`, output),
    wrappedBehind("  1  Milepost's todo    ", "fewest tokens; the client's own is off        (default)", output),
    wrappedBehind("  2  the client's own   ", `nothing new for the model; same views, digest${lost}`, output),
  ];
  await output.write(`${rows.join("\n")}\n`);
  for (;;) {
    const answer = await ask("Choose [1]:");
    if (answer === undefined) return undefined;
    const choice = CHOICES.find(([, words]) => words.test(answer.trim()));
    if (choice) return choice[0];
    await output.write(`${wrapped("Type 1 or 2; Enter alone is 1, Ctrl+C ends without a change.", output)}\n`);
  }
}
