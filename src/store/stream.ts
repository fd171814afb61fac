import { isId } from "../core/id.js";

/** `session:<id>`: list and turns; `session:<id>/<agent>`: a sub-agent's; `calls:<session>`: what its tools did. */
export function sessionStream(session: string, agent?: string): string {
  return agent === undefined ? `session:${session}` : `session:${session}/${agent}`;
}

const STREAM = /^([a-z]{1,32}):([^/]+)(?:\/([^/]+))?$/;

/** Kind, then one id or two: nothing else is ever a stream, whoever asks for it. */
export function isStream(stream: unknown): stream is string {
  if (typeof stream !== "string") return false;
  const [, kind, id, part] = STREAM.exec(stream) ?? [];
  return kind !== undefined && isId(id) && (part === undefined || isId(part));
}

/** Tool calls and edits of a busy agent: many, soon old, so they may be written with less care for power cuts. */
export function isObserved(stream: string): boolean {
  return stream.startsWith("calls:") || stream.startsWith("files:");
}

/** Where everything about one session is kept. */
export function streamsOfSession(session: string): { readonly exact: readonly string[]; readonly below: string } {
  return { exact: [sessionStream(session), `calls:${session}`], below: `${sessionStream(session)}/` };
}

/** The session that a stream tells of, if it is one of those. */
export function sessionOf(stream: string): string | undefined {
  const [, kind, id] = STREAM.exec(stream) ?? [];
  return kind === "session" || kind === "calls" ? id : undefined;
}
