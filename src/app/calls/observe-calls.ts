import { ok, type Result } from "../../core/result.js";
import type { EventStore } from "../../store/event-store.js";
import { processName } from "../session/process-life.js";
import { recordSighting } from "../session/record-sighting.js";
import type { Settings } from "../settings.js";
import { type CallReport, type Observed, sightingOfCalls } from "./observed-call.js";

export interface Host {
  /** The number of its process, where it is known: with it, its sessions have ended. */
  readonly pid?: number | undefined;
  readonly settingsOf: (folder?: string) => Settings;
}

/** Records what a host tells of its calls, as hooks do, and returns what its model is to be told. */
export async function observeCalls(
  store: EventStore,
  reports: readonly CallReport[],
  { pid, settingsOf }: Host,
): Promise<Result<Observed>> {
  const settings = settingsOf(reports[0]?.folder);
  const { checkPatterns } = settings;
  const sighting = sightingOfCalls(reports, pid === undefined ? "" : processName(pid), checkPatterns);
  if (!sighting.ok) return sighting;
  const said = await recordSighting(store, sighting.value, settings);
  return said.ok ? ok({ said: said.value }) : said;
}
