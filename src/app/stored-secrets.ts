import { fail, ok, type Result } from "../core/result.js";
import { counted } from "../core/text/length.js";
import type { StoredSecrets } from "../store/upkeep/redact-store.js";
import type { CommandContext } from "./command-definition.js";
import { redactLogs } from "./log-file.js";

export interface RedactedStore extends StoredSecrets {
  readonly logLines: number;
}

/** What older versions stored and logged. There is no way back: nothing of it is kept anywhere. */
export async function redactStored(
  { open, confirm, environment, progress }: CommandContext,
  { yes, hasStore }: { readonly yes: boolean; readonly hasStore: boolean },
): Promise<Result<RedactedStore>> {
  if (!yes) {
    const isSure = await confirm("Redact everything stored that looks like a secret? This cannot be undone.");
    if (isSure === undefined)
      return fail("needs-yes", "Nothing was redacted: confirmation needs a terminal, or --yes.");
    if (!isSure) return fail("not-confirmed", "Nothing was redacted.");
  }
  const look = (events: number) => progress(`Looked at ${events} events`);
  // Looking for secrets makes no store where there is none.
  const found = hasStore ? await (await open("read")).store.redact(look) : NONE;
  return ok({ ...found, logLines: redactLogs(environment) });
}

const NONE: StoredSecrets = { events: 0, streams: 0, answers: 0, readings: 0 };

/** Says how many, never what. */
export function redactedText({ events, streams, answers, readings, logLines }: RedactedStore): string {
  const rest = [
    ...(answers > 0 ? [counted(answers, "kept answer")] : []),
    ...(readings > 0 ? [counted(readings, "transcript reading")] : []),
    ...(logLines > 0 ? [`${counted(logLines, "line")} of the log`] : []),
  ];
  const all = [`${counted(events, "event")} in ${counted(streams, "stream")}`, ...rest].join(", ");
  return events + streams + answers + readings + logLines === 0 ? "no secrets found" : `redacted: ${all}`;
}
