import type { Plan } from "../../core/plan/plan.js";
import { ENDED_AFTER } from "../../core/session/session-state.js";
import type { EventStore } from "../../store/event-store.js";
import type { CommandContext } from "../command-definition.js";
import type { FoundSession } from "../session/find/find-session.js";
import { personOf } from "../session/person-name.js";
import { type OpenBoard, openBoard } from "../transcripts/open-session-board.js";
import { storeToRead } from "../transcripts/store-to-read.js";
import { idInName } from "../transcripts/transcript-name.js";
import { sessionPart } from "./plan-id.js";
import { PLANS } from "./plan-views.js";
import { joinPlans, type KnownPlan, seenPlans } from "./seen-plans.js";

/** As many sessions as `milepost sessions` reads. What was read before is known, however old it is. */
const NEWEST_READ = 20;
/** More than anybody keeps; each is one look. */
const MOST_STORED = 1000;
const EVERY = Number.MAX_SAFE_INTEGER;

/** Plans of all projects, those that wait for a person first. `asked`: an id, or its beginning, that may be old. */
export async function knownPlans(context: CommandContext, asked?: string): Promise<readonly KnownPlan[]> {
  const { attachment, keep } = await openBoard(context);
  const progress = (done: number) => context.progress(`Read ${done} of ${attachment.count} transcripts`);
  await attachment.readNewest(NEWEST_READ, { atLeastSince: Date.now() - ENDED_AFTER, progress });
  const [part = ""] = asked?.split("-") ?? [];
  if (part.length === sessionPart("").length) {
    // Of which session a plan is stands in its id.
    const isWanted = (path: string) => sessionPart(idInName(path)) === part;
    await attachment.readNewest(EVERY, { isWanted, progress });
  }
  for (const trouble of attachment.troubles) await context.notice(trouble);
  await keep();
  return plansOn({ attachment }, await storeToRead(context));
}

/** Plans of what was read by now. */
export async function plansOn(
  { attachment }: Pick<OpenBoard, "attachment">,
  store: EventStore,
): Promise<readonly KnownPlan[]> {
  const by = userHere();
  const seen = attachment.sessions().flatMap(({ view, grewAt }) => seenPlans({ ...view, at: view.at || grewAt }, by));
  return joinPlans(await storedPlans(store), seen);
}

/** Plans of one session; its transcript alone is read. */
export async function plansOfSession(context: CommandContext, found: FoundSession): Promise<readonly KnownPlan[]> {
  const { session } = found;
  const stored = await storedPlans(await storeToRead(context), `plan:${sessionPart(session)}-`);
  const seen = await (await found.transcripts()).exactly({ session });
  const own = stored.filter((plan) => plan.session === session);
  return joinPlans(own, seen ? seenPlans({ ...seen.view, at: seen.view.at || seen.grewAt }, userHere()) : []);
}

async function storedPlans(store: EventStore, beginning = "plan:"): Promise<readonly Plan[]> {
  const streams = await store.recent("plan", MOST_STORED);
  const wanted = streams.filter(({ stream }) => stream.startsWith(beginning));
  const plans = await Promise.all(wanted.map(({ stream }) => store.view(PLANS, stream)));
  return plans.filter(({ id }) => id !== "");
}

/** Whoever answers a client's dialogue on this machine is its user. */
function userHere(): string {
  const by = personOf(undefined);
  return by.ok ? by.value : "person";
}
