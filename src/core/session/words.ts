import type { SessionEvent, ToldWord } from "./events.js";
import type { Session } from "./session.js";

type WordEvent = Extract<SessionEvent, { type: "list.edited" | "edit.delivered" | "word.told" | "word.delivered" }>;

/** What a person did or said from outside, until the model has been told. */
export function evolveWords(session: Session, event: WordEvent): Session {
  switch (event.type) {
    case "list.edited":
      return { ...session, edits: [...session.edits, event.action] };
    case "edit.delivered":
      return { ...session, edits: session.edits.slice(event.edits) };
    case "word.told":
      return { ...session, words: [...session.words, toldWord(event)] };
    case "word.delivered":
      return { ...session, words: session.words.slice(event.words) };
  }
}

function toldWord({ text, by }: ToldWord): ToldWord {
  return by === undefined ? { text } : { text, by };
}
