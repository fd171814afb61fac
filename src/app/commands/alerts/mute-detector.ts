import { DETECTORS } from "../../../core/detectors/detector-table.js";
import { fail, ok, type Result } from "../../../core/result.js";
import type { SessionEvent } from "../../../core/session/events.js";
import { nearest } from "../../../core/text/nearest.js";
import { append } from "../../../store/event-store.js";
import { sessionStream } from "../../../store/stream.js";
import { type CommandContext, defineCommand } from "../../command-definition.js";
import { needed, text } from "../../fields.js";
import { findSession } from "../../session/find/find-session.js";
import { mentionStored, type SessionMention } from "../../session/session-mention.js";
import { SESSIONS, sessionEvent } from "../../session/session-view.js";
import { sameLine } from "../../terminal/next-step.js";

const NAMES = DETECTORS.map(({ name }) => name);

const INPUT = {
  detector: needed(text("DETECTOR", "name of the detector, as alerts show it", { choices: NAMES })),
  session: text("SESSION", "session id, or a prefix of it (default: the newest in this project)"),
};

interface Muted extends SessionMention {
  readonly detector: string;
  readonly isMuted: boolean;
}

export const muteDetector = defineCommand({
  details: `The detector finds nothing more in this session, and its alerts there are over. Other sessions and other
detectors are not changed. Needs the hooks of milepost setup.`,
  examples: ["milepost alerts mute same-outcome", "milepost alerts mute polling --session acc5a7"],
  words: ["detector"],
  input: INPUT,
  run: (context, input) => change(context, input, "alert.muted"),
  show: (muted) => `${muted.detector} is muted for ${whose(muted)}.\n`,
});

export const unmuteDetector = defineCommand({
  details: "The detector looks again, from here on.",
  examples: ["milepost alerts unmute same-outcome"],
  words: ["detector"],
  input: INPUT,
  run: (context, input) => change(context, input, "alert.unmuted"),
  show: (muted) => `${muted.detector} speaks again in ${whose(muted)}.\n`,
});

function whose({ session, subAgent }: Muted): string {
  return subAgent === null ? `session ${session}` : `sub-agent ${subAgent} of session ${session}`;
}

async function change(
  context: CommandContext,
  { detector, session: asked }: { readonly detector: string; readonly session?: string | undefined },
  type: Extract<SessionEvent, { readonly detector: string; readonly type: `alert.${string}muted` }>["type"],
): Promise<Result<Muted>> {
  if (!NAMES.includes(detector)) return fail("bad-usage", unknownDetector(context, detector));
  const found = await findSession(context, { session: asked });
  if (!found.ok) return found;
  const { session, agent } = found.value;
  const { store } = await context.open("write");
  const stream = sessionStream(session, agent);
  const { client } = await store.view(SESSIONS, sessionStream(session));
  if (client === "") {
    const { unreported } = await import("../../setup/start-again.js");
    const told = (await found.value.transcriptList())?.client ?? "";
    return fail("no-reader", `Nothing is muted: ${unreported(context, { id: session, client: told, folder: "" })}`);
  }
  await store.commit(append([{ stream, events: [sessionEvent({ type, detector })] }]));
  return ok({ ...(await mentionStored(store, session, agent)), detector, isMuted: type === "alert.muted" });
}

function unknownDetector({ line }: CommandContext, typed: string): string {
  const near = nearest(typed, NAMES);
  const again = near && sameLine(line, typed, near);
  const next = again ? `Did you mean: ${again}` : `There are ${NAMES.join(", ")}.`;
  return `There is no detector called ${typed}. ${next}`;
}
