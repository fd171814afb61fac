import { basename } from "node:path";
import type { SessionView } from "../../core/session/view.js";
import { findFormat } from "../../readers/formats.js";
import { Transcript } from "../../readers/transcript.js";
import { beginningOf } from "./beginning.js";
import type { SeenSession } from "./seen-session.js";

/**
 * What a person typed is not kept in the store; where a title came from the first prompt it is looked up again in the file
 * itself, when somebody wants to see it.
 */
export function withTitle(view: SessionView, { path, format }: SeenSession): SessionView {
  if (view.titleBy !== "person" || view.title !== "") return view;
  const transcript = new Transcript({ file: basename(path), format: findFormat(format) });
  transcript.push(Buffer.from(beginningOf(path)));
  return { ...view, title: transcript.views.get(view.id)?.title ?? "" };
}

export function withoutPrompt(view: SessionView): SessionView {
  return view.titleBy === "person" ? { ...view, title: "" } : view;
}
