import { isSameJson } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";
import { redact } from "../../../core/secrets/redact.js";
import { EVIDENCE_POLICIES, type SessionEvent } from "../../../core/session/events.js";
import { WAIVER_MAX } from "../../../core/session/waiver.js";
import type { Todo, TodoList } from "../../../core/todo/list.js";
import { whichTodo } from "../../../core/todo/pick-todos.js";
import { sessionStream } from "../../../store/stream.js";
import { defineCommand } from "../../command-definition.js";
import { choice, many, needed, text } from "../../fields.js";
import { agentShell } from "../../plans/agent-shell.js";
import { SESSIONS, sessionEvent, withEvents } from "../../session/session-view.js";
import { evidencePolicy } from "../../session/words/evidence-words.js";
import { readSettings } from "../../settings.js";
import { shellWord } from "../../terminal/next-step.js";
import { showChange } from "../../terminal/todo-rows.js";
import { WHOSE } from "../../todo/list-place.js";
import { listNow, type OpenedList, openList, reportOn } from "../../todo/person-edit.js";

// What a person says about checks: that there can be none here, and what is asked of this list.

export const waiveChecks = defineCommand({
  details: `Says that the work on this list cannot be checked here, and why: it is not asked for any more, and shown as
waived. With the number of a todo first, only of that todo. The agent says the same with "cannot be checked here:" and
a reason, in its last answer or in a note.`,
  examples: ["milepost todo waive The printer is in another town", "milepost todo waive 1 Needs the real printer"],
  words: ["reason"],
  input: { reason: needed(many(text("REASON", "why; a todo's number may stand before it"))), ...WHOSE },
  async run(context, { reason: words, ...whose }) {
    const opened = await openList(context, whose, "write");
    if (!opened.ok) return opened;
    const list = await listNow(opened.value);
    const waived = whatIsWaived(list, words, opened.value.hint);
    if (!waived.ok) return waived;
    const { todo, reason } = waived.value;
    const changed = await record(opened.value, { type: "check.waived", reason, ...(todo && { todo: todo.number }) });
    if (!changed.ok) return changed;
    const what = todo ? `${todo.number} ${todo.text}` : "the list";
    const said = `Not to be checked here: ${what}. Reason: ${reason}`;
    return reportOn(opened.value, { said, changed: changed.value, list, todos: todo ? [todo.number] : [] });
  },
  show: showChange,
});

interface Waived {
  readonly reason: string;
  readonly todo?: Todo;
}

function whatIsWaived(list: TodoList, words: readonly string[], hint: OpenedList["hint"]): Result<Waived> {
  const [first = "", ...others] = words;
  const isNumbered = /^#?\d+$/.test(first);
  const reason = redact((isNumbered ? others : words).join(" ").replace(/\s+/g, " ").trim());
  if (reason === "") return fail("empty-text", `The reason is missing: ${hint(`todo waive ${first} REASON`)}`);
  if (reason.length > WAIVER_MAX) return fail("text-too-long", `A reason has at most ${WAIVER_MAX} characters.`);
  if (!isNumbered) return ok({ reason });
  const todo = whichTodo(list, first, hint, (number) => `waive ${number} ${shellWord(reason)}`);
  return todo.ok ? ok({ reason, todo: todo.value }) : todo;
}

export const setEvidence = defineCommand({
  details: `What is asked of this session's list where todos are completed and no check was run: nothing (off), one
reminder (nudge), or a check before the agent stops (require). It holds for this session, whatever the setting evidence
says. Without a word: what holds now.`,
  examples: ["milepost todo evidence require", "milepost todo evidence"],
  words: ["policy"],
  input: { policy: choice(EVIDENCE_POLICIES, "what is asked of it"), ...WHOSE },
  async run(context, { policy, ...whose }) {
    const agent = policy === undefined ? undefined : agentShell(context.environment);
    if (agent !== undefined)
      return fail(
        "agent-shell",
        `This is the shell of ${agent}, and what is asked of its work is a person's to say, in a terminal of their own.`,
      );
    const opened = await openList(context, whose, policy === undefined ? "read" : "write");
    if (!opened.ok) return opened;
    const changed = policy ? await record(opened.value, { type: "evidence.changed", policy }) : ok(false);
    if (!changed.ok) return changed;
    const { store, place } = opened.value;
    const session = withEvents(await store.view(SESSIONS, sessionStream(place.session)), []);
    const settings = readSettings(context.environment, session.folder || context.folder);
    const from = session.evidence === undefined ? "the setting evidence" : "said for this list";
    const said = `Evidence: ${evidencePolicy(session, settings)} (${from})`;
    return reportOn(opened.value, { said, changed: changed.value, list: await listNow(opened.value) });
  },
  show: showChange,
});

/**
 * Of the session itself, also where a sub-agent's list was named: that is the one that is asked. False for what was
 * said before.
 */
function record({ store, place }: OpenedList, event: SessionEvent): Promise<Result<boolean>> {
  const stream = sessionStream(place.session);
  return store.commit(function* (transaction) {
    const before = withEvents(yield* transaction.view(SESSIONS, stream), []);
    const isNew = !isSameJson(before, withEvents(before, [sessionEvent(event)]));
    const events = isNew ? [{ ...sessionEvent(event), actor: place.by }] : [];
    return ok({ writes: [{ stream, events }], answer: isNew });
  });
}
