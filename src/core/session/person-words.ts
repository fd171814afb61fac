import type { SessionEvent, ToldWord } from "./events.js";
import type { Session } from "./session.js";

const TYPES = [
  "list.edited",
  "edit.delivered",
  "edit.undone",
  "word.told",
  "word.delivered",
  "notice.left",
  "notice.delivered",
] as const;
type WordEvent = Extract<SessionEvent, { type: (typeof TYPES)[number] }>;

export function isWordEvent(event: SessionEvent): event is WordEvent {
  return TYPES.some((type) => type === event.type);
}

/** What a person did or said from outside, and what we have to say, until the model has been told. */
export function evolveWords(session: Session, event: WordEvent): Session {
  switch (event.type) {
    case "list.edited":
      return { ...session, edits: [...session.edits, event.action] };
    case "edit.delivered":
      return { ...session, edits: session.edits.slice(event.edits) };
    // The model is told by the `list.edited` that comes with it.
    case "edit.undone":
      return session;
    case "word.told":
      return { ...session, words: [...session.words, toldWord(event)] };
    case "word.delivered":
      return { ...session, words: session.words.slice(event.words) };
    case "notice.left":
      return { ...session, notices: [...session.notices, event.text] };
    case "notice.delivered":
      return { ...session, notices: session.notices.slice(event.notices) };
  }
}

function toldWord({ text, by }: ToldWord): ToldWord {
  return by === undefined ? { text } : { text, by };
}
