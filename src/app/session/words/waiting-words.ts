import { editedText } from "../../../core/session/edited.js";
import type { Session } from "../../../core/session/session.js";
import { wordLine } from "../../../core/session/told-words.js";
import { utf8Length } from "../../../core/text/length.js";
import { promptText } from "../../../core/text/prompt-text.js";
import type { TodoList } from "../../../core/todo/list.js";
import { remindersOf } from "../../../dialects/agent-reminders.js";
import type { Word } from "../list-words.js";

// What waits in a session for its model: a person's words, a person's edits of the list, and notices of ours.

const WORD_MAX = 2000;
/** In bytes. Clients cut what a hook says; what has no room comes with the next reply. */
const WORDS_MAX = 5000;

export function toldWords({ words }: Session): readonly Word[] {
  const lines: string[] = [];
  let size = 0;
  for (const word of words) {
    const line = `- ${wordLine(word)}`;
    size += utf8Length(line);
    if (lines.length > 0 && size > WORDS_MAX) break;
    lines.push(line);
  }
  if (lines.length === 0) return [];
  const text = ["The person says through `milepost tell`:", ...lines].join("\n");
  return [{ text, event: { type: "word.delivered", words: lines.length } }];
}

const MOST_NOTICES = 10;

export function noticeWords({ notices }: Session): readonly Word[] {
  const shown = notices.slice(0, MOST_NOTICES);
  if (shown.length === 0) return [];
  const text = ["Milepost:", ...shown.map((notice) => `- ${promptText(notice, WORD_MAX)}`)].join("\n");
  return [{ text, event: { type: "notice.delivered", notices: shown.length } }];
}

/** The list as it is now, not as it was after each edit. */
export function editWords(session: Session, list: TodoList): readonly Word[] {
  const { edits } = session;
  if (edits.length === 0) return [];
  const text = remindersOf(session.dialect)?.edited?.(edits, list) ?? editedText(edits, list);
  return [{ text, event: { type: "edit.delivered", edits: edits.length } }];
}
