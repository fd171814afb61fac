import { basename } from "node:path";
import { fail, ok, type Result } from "../../core/result.js";
import { Transcript, type TranscriptOptions } from "../../readers/transcript.js";
import { asTrouble, StoreTrouble } from "../../store/trouble.js";
import { readDatabase } from "./agents/database-formats.js";
import { documentKindInside, readJson } from "./document.js";
import { type FileMark, markOf, openTranscript, type ReadFile } from "./read-file.js";

type DocumentOptions = Pick<TranscriptOptions, "format" | "hasOpenclaw">;

/** All of a file that is one document; undefined for a file of lines. */
export async function readDocument(path: string, options: DocumentOptions): Promise<Result<ReadFile> | undefined> {
  const opened = await openTranscript(path, "follow");
  if (!opened.ok) return opened;
  const handle = opened.value;
  try {
    const mark = await markOf(handle);
    const kind = documentKindInside(path);
    if (kind === "database") return await readTables(path, mark, options);
    const record = kind === "json" ? await readJson(handle) : undefined;
    if (!record) return undefined;
    const transcript = new Transcript({ file: basename(path), ...options });
    transcript.tell(record);
    return ok({ path, mark, transcript });
  } finally {
    await handle.close();
  }
}

async function readTables(path: string, mark: FileMark, options: DocumentOptions): Promise<Result<ReadFile>> {
  const found = await readDatabase(path).catch(asTrouble);
  if (found instanceof StoreTrouble) return fail({ code: "no-transcript", message: found.message });
  const transcript = new Transcript({ file: basename(path), ...options, format: found?.format });
  for (const { record } of found?.changed ?? []) transcript.tell(record);
  return ok({ path, mark, transcript });
}
