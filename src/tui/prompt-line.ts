import type { Step } from "./effect.js";
import type { Key } from "./key-reader.js";
import type { Prompt, ViewState } from "./view-state.js";

/** A key while a line is typed. */
export function typeInto(state: ViewState, prompt: Prompt, key: Key): Step {
  const set = (text: string): Step => ({ state: typed(state, { ...prompt, text }) });
  // A line is one line, wherever its text came from.
  if (key.type === "text") return set(prompt.text + key.text.replace(/\s+/g, " "));
  switch (key.name) {
    case "backspace":
      return prompt.text === "" ? { state: closed(state, prompt) } : set(Array.from(prompt.text).slice(0, -1).join(""));
    case "delete-word":
      return set(prompt.text.replace(/\S+\s*$/, ""));
    case "clear-line":
      return set("");
    case "escape":
    case "interrupt":
      return { state: closed(state, prompt) };
    case "enter":
      return entered(state, prompt);
    default:
      return { state };
  }
}

/** What is filtered changes with every letter. */
function typed(state: ViewState, prompt: Prompt): ViewState {
  return { ...state, prompt, ...(prompt.kind === "filter" ? { filter: prompt.text } : undefined) };
}

function closed(state: ViewState, { kind }: Prompt): ViewState {
  return { ...state, prompt: undefined, ...(kind === "filter" ? { filter: "" } : undefined) };
}

function entered(state: ViewState, { kind, text, about }: Prompt): Step {
  const next = { ...state, prompt: undefined };
  const said = text.trim();
  if (kind === "filter") return { state: next };
  // A plan may be rejected without a word; all else needs one.
  if (said === "" && kind !== "reject") return { state: next };
  const [session = about, agent] = about.split("/");
  const whose = agent === undefined ? { session } : { session, agent };
  switch (kind) {
    case "tell":
      return { state: next, effect: { type: "verb", name: "tell", input: { text: [said], session, later: false } } };
    case "add":
      return {
        state: next,
        effect: { type: "verb", name: "todo add", input: { text: [said], first: false, ...whose } },
      };
    case "task":
      return { state: next, effect: { type: "verb", name: "task add", input: { subject: [said], list: about } } };
    case "reject":
      return {
        state: { ...next, page: undefined },
        effect: {
          type: "verb",
          name: "plan reject",
          input: { plan: about, words: said === "" ? [] : [said], withdraw: false },
        },
      };
  }
}
