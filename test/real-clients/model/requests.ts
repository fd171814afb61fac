import type { ModelRequest, RequestText } from "./script.js";

// How the clients wrap what a hook says. Codex hands over the context of a hook as a bare developer message; newer
// models of Claude Code read all reminders of a request as one system message.
const CONTEXT = /\b\w+(?::\S+)? hook additional context: ([\s\S]*?)(?=\n\n|$)/g;
const HOOK_TEXTS = [
  /<system-reminder>\n\w+(?::\S+)? hook additional context: ([\s\S]*?)\n<\/system-reminder>/g,
  /^Stop hook feedback:\n([\s\S]*)$/g,
  /^<hook_prompt [^>]*>([\s\S]*)<\/hook_prompt>$/g,
];

/** The requests of the conversation itself, without summaries and titles. */
export function turns(requests: readonly ModelRequest[]): ModelRequest[] {
  return requests.filter(({ kind }) => kind === "turn");
}

/** The first request after the client compacted. */
export function afterCompaction(requests: readonly ModelRequest[]): ModelRequest | undefined {
  const summary = requests.findIndex(({ kind }) => kind === "summary");
  return summary < 0 ? undefined : turns(requests.slice(summary)).at(0);
}

/** What the model has not answered yet: everything behind its own last word. */
export function news(request: ModelRequest): RequestText[] {
  return request.texts.slice(request.texts.findLastIndex(({ from }) => from === "model") + 1);
}

/** What hooks put in, each text once. For Codex also what the client says itself; callers look for words of their own. */
export function injected(texts: readonly RequestText[]): string[] {
  return texts.flatMap(({ from, text }) => {
    const contexts = [...text.matchAll(CONTEXT)].map((match) => match[1] ?? "");
    if (from === "client") return contexts.length > 0 ? contexts : [text];
    return HOOK_TEXTS.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ""));
  });
}

/** The answers of tools to the model's last calls, without what hooks added to them. */
export function answers(request: ModelRequest): string {
  const texts = news(request).filter(({ from }) => from === "tool");
  return texts.map(({ text }) => text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "").trim()).join("\n");
}
