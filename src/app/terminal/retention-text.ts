import { DAY, READINGS_KEPT, RETENTION } from "../../store/upkeep/retention.js";

const HISTORY = RETENTION.map(({ kind, maxAge, maxSize, onlyClosed }) => {
  const limit = maxSize === undefined ? "" : ` and ${Math.round(maxSize / 1024 / 1024)} MB`;
  return `${kind} ${maxAge / DAY} days${limit}${onlyClosed ? " after its last event, when nothing is open" : ""}`;
}).join(", ");

/** The rules in words, so that nobody has to find out by missing something. */
export const RETENTION_TEXT = `${HISTORY}; what was read of transcripts ${READINGS_KEPT / DAY} days after they last grew`;
