import { basename } from "node:path";
import { fail, ok, type Result } from "../../core/result.js";
import { hermesSessions } from "../../readers/hermes-sessions.js";
import type { Format } from "../../readers/reader.js";
import { Transcript } from "../../readers/transcript.js";
import { StoreTrouble } from "../../store/trouble.js";
import { documentKindInside, readJson } from "./document.js";
import { readHermesDatabase } from "./hermes-database.js";
import { markOf, openTranscript, type ReadFile } from "./read-file.js";

/** All of a file that is one document; undefined for a file of lines. */
export async function readDocument(path: string, format: Format | undefined): Promise<Result<ReadFile> | undefined> {
  const opened = await openTranscript(path, "follow");
  if (!opened.ok) return opened;
  const mark = await markOf(opened.value);
  await opened.value.close();
  const file = basename(path);
  const kind = documentKindInside(path);
  if (kind === "database") {
    const transcript = new Transcript({ file, format: hermesSessions });
    const trouble = await pushDatabase(path, transcript);
    return trouble ? fail({ code: "no-transcript", message: trouble.message }) : ok({ path, mark, transcript });
  }
  const record = kind === "json" ? await readJson(path, mark.size) : undefined;
  if (!record) return undefined;
  const transcript = new Transcript({ file, format });
  transcript.tell(record);
  return ok({ path, mark, transcript });
}

async function pushDatabase(path: string, transcript: Transcript): Promise<StoreTrouble | undefined> {
  try {
    const found = await readHermesDatabase(path);
    for (const { record } of found?.changed ?? []) transcript.tell(record);
    return undefined;
  } catch (error) {
    if (error instanceof StoreTrouble) return error;
    throw error;
  }
}
