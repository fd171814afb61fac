import type { SessionView } from "../../core/session/session-facts.js";
import { Transcript } from "../../readers/transcript.js";
import { findFormat } from "../../readers/transcript-formats.js";
import { codexName } from "./agents/codex-names.js";
import { documentKind } from "./document.js";
import { beginningOf } from "./file-peek.js";
import { nameOf } from "./read-file.js";
import type { SeenSession } from "./seen-session.js";

/** A title that came from the first prompt is read from the file again: the store keeps nothing a person typed. */
export function withTitle(view: SessionView, { path, format }: SeenSession, nameOf = codexName): SessionView {
  const name = format === "codex" && view.titleBy !== "agent" ? nameOf(path, view.id) : undefined;
  if (name !== undefined) return { ...view, title: name, titleBy: "agent" };
  // What is not kept has its title already.
  if (view.title !== "" || view.titleBy === "agent" || documentKind(path) !== undefined) return view;
  return { ...view, title: firstPrompt(view.id, path, format) };
}

/** A live table asks for them every second, and first prompts do not change. */
const known = new Map<string, string>();
const MOST_KNOWN = 5000;

function firstPrompt(session: string, path: string, format: string): string {
  const key = `${path}\n${session}`;
  const title = known.get(key) ?? readFirstPrompt(session, path, format);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, title);
  return title;
}

/** Mostly it is near the beginning; copies of prompts may come before it. */
const LOOKED_AT = [64 * 1024, 4 * 1024 * 1024];

function readFirstPrompt(session: string, path: string, format: string): string {
  for (const bytes of LOOKED_AT) {
    const transcript = new Transcript({ ...nameOf(path), format: findFormat(format) });
    transcript.push(Buffer.from(beginningOf(path, bytes)));
    const title = transcript.views.get(session)?.title;
    if (title) return title;
  }
  return "";
}

export function withoutPrompt(view: SessionView): SessionView {
  return view.titleBy === "person" ? { ...view, title: "" } : view;
}
