import { type JsonObject, sessionAt, textAt } from "../../core/json.js";
import type { Observation } from "../../core/session/observation.js";
import { fingerprint } from "../memory.js";
import type { Format, Reader } from "../reader.js";
import { HERMES, HermesSession, type SavedSession } from "./hermes-session.js";

/** A session's own file, one message a line, as the gateway wrote it until May 2026. It is called after the session. */
export const hermesGateway: Format = {
  name: "hermes",
  agent: HERMES,
  recognises: isMessage,
  open: (file, { saved } = {}) => new GatewayReader(file, saved as SavedGateway | undefined),
};

/** Others have a type for each line, or the message inside it. */
function isMessage(record: JsonObject): boolean {
  const { role, type, timestamp, tool_calls: calls, tool_call_id: call } = record;
  if (type !== undefined || record.message !== undefined) return false;
  if (role === "session_meta") return true;
  const isTimed = typeof timestamp === "number" || typeof timestamp === "string";
  if (role === "user") return isTimed && record.content !== undefined;
  if (role === "assistant") return Array.isArray(calls) || (isTimed && record.content !== undefined);
  return role === "tool" && textAt(call) !== undefined;
}

const ROLES = ["user", "assistant", "tool", "system", "session_meta"];

interface SavedGateway {
  readonly id: string;
  readonly session: SavedSession | null;
}

class GatewayReader implements Reader {
  readonly #id: string;
  #session: HermesSession | undefined;

  constructor(file: string, saved: SavedGateway | undefined) {
    this.#id = saved?.id ?? sessionAt(file.replace(/\.jsonl$/, "")) ?? `hermes-${fingerprint(file)}`;
    this.#session = saved?.session ? new HermesSession(saved.id, saved.session) : undefined;
  }

  save(): SavedGateway {
    return { id: this.#session?.id ?? this.#id, session: this.#session?.save() ?? null };
  }

  read(record: JsonObject): readonly Observation[] {
    if (!ROLES.some((role) => role === record.role)) return [];
    const isMeta = record.role === "session_meta";
    const isNew = this.#session === undefined;
    const session = this.#session ?? new HermesSession((isMeta && sessionAt(record.session_id)) || this.#id);
    this.#session = session;
    if (isMeta || isNew) session.introduce(isMeta ? record : { timestamp: record.timestamp });
    if (!isMeta) session.read(record);
    return session.take();
  }
}
