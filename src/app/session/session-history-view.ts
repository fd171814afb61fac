import {
  evolveHistory,
  isSessionHistory,
  NO_SESSION_HISTORY,
  type SessionHistory,
} from "../../core/session/session-history.js";
import type { Projection } from "../../store/projection.js";

/** How often and when things happened in a session, or in a sub-agent of it. */
export const HISTORIES: Projection<SessionHistory> = {
  name: "history",
  revision: 1,
  initial: NO_SESSION_HISTORY,
  keptEvery: 64,
  covers: (stream) => stream.startsWith("session:"),
  fold: evolveHistory,
  isState: isSessionHistory,
  // What is open is known by the list and by the session.
  isOpen: () => false,
};
