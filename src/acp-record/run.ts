import { setPriority } from "node:os";
import { AcpRecording, type RecordingData } from "../app/acp/acp-recording.js";
import { FrameReader } from "../app/acp/record-frames.js";
import { failureOf } from "../app/escaped-error.js";
import type { Host } from "../app/host.js";
import { writeLog } from "../app/log-file.js";

// The process that records what passes through `milepost acp`, which starts it. It may be slow, run out of memory or
// find no store: the bytes are on their way before it sees them. It ends when its input does, also when `milepost acp`
// was killed, and has recorded all of it then.

const LEAST = 19;

export async function runRecorder(host: Host): Promise<number> {
  giveWay();
  // Who ends the editor, the agent and us with one signal still wants to know what they did.
  host.interrupted();
  const frames = new FrameReader();
  let recording: AcpRecording | undefined;
  for await (const chunk of host.input.bytes) {
    for (const frame of frames.read(chunk)) {
      if (frame.type === "start") recording ??= start(host, frame.bytes);
      else if (frame.type === "gap") recording?.skip(frame.from);
      else recording?.hear(frame.from, frame.bytes);
    }
  }
  try {
    await recording?.close();
  } catch (error) {
    writeLog(host.environment, "acp", failureOf(error).message);
  }
  return 0;
}

function start({ environment, output, program }: Host, bytes: Uint8Array): AcpRecording {
  const told = JSON.parse(Buffer.from(bytes).toString("utf8")) as Omit<RecordingData, "environment" | "userFolder">;
  const data = { ...told, environment, userFolder: program.userFolder };
  return new AcpRecording(data, (line) => void output.write(line));
}

/** Nobody waits for the recording, but everybody for the bytes. */
function giveWay(): void {
  try {
    setPriority(LEAST);
  } catch {
    // Then they share what there is.
  }
}
