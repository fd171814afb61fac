import { NO_WATCH, type Watch, watchStep } from "../../../core/detectors/session-watch.js";
import { type ChangedFile, type FilesOfSession, sharedFiles } from "../../../core/detectors/shared-files.js";
import type { SeenWork } from "../../../core/grounding/seen-work.js";
import { editIn } from "../../../core/grounding/work-runs.js";
import { projectFile } from "../../session/files/file-in-project.js";
import type { SessionReport } from "../session-report.js";
import { type AlertReport, reportAlert } from "./alert-report.js";
import type { Looked } from "./silent-children.js";

// Two sessions whose transcripts are read together, and that have changed the same file.

/** Milliseconds. Calls of a long session are joined to runs; in a longer one nobody knows when a file was changed. */
const LONGEST_RUN = 5 * 60_000;

/** By the id of the session. Sub-agents and their session share files on purpose. */
export function sharedFileAlerts(looked: readonly Looked[], now: number): ReadonlyMap<string, readonly AlertReport[]> {
  const reports = new Map(looked.map(({ report }) => [report.id, report]));
  const watches = new Map<string, Watch>();
  for (const { file, sessions, at } of sharedFiles(looked.flatMap(filesOf))) {
    const [one, other] = sessions;
    if (rootOf(one, reports) === rootOf(other, reports)) continue;
    for (const [id, session] of [[one, other] as const, [other, one] as const])
      watches.set(id, watchStep(watches.get(id) ?? NO_WATCH, { type: "same-file", file, session, at }));
  }
  const alertsOf = (watch: Watch) => watchStep(watch, { type: "tick", at: Math.max(now, watch.now) }).alerts;
  return new Map([...watches].map(([id, watch]) => [id, alertsOf(watch).map(reportAlert)]));
}

/** Below each project that it has worked on: worktrees of a repository are one. */
function filesOf({ report: { id, folder }, view: { work } }: Looked): readonly FilesOfSession[] {
  const projects = new Map<string, ChangedFile[]>();
  for (const { path: named, at } of changesIn(work)) {
    const found = projectFile(folder ?? "", named);
    if (!found) continue;
    const known = projects.get(found.project) ?? [];
    projects.set(found.project, [...known, { path: found.path, at }]);
  }
  return [...projects].map(([project, files]) => ({ id, folder: project, files }));
}

function changesIn({ runs, files }: SeenWork): readonly ChangedFile[] {
  return runs.flatMap((run) => {
    const edit = run[1] > LONGEST_RUN ? undefined : editIn(run);
    return (edit?.files ?? []).flatMap((place) => (files[place] ? [{ path: files[place], at: edit?.end ?? 0 }] : []));
  });
}

const DEEPEST = 20;

/** Files may say anything of who is whose. */
function rootOf(id: string, reports: ReadonlyMap<string, SessionReport>): string {
  let root = id;
  for (let depth = 0; depth < DEEPEST; depth += 1) root = reports.get(root)?.parent ?? root;
  return root;
}
