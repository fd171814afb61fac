import { setPriority } from "node:os";
import { AcpRecording, type RecordingData } from "../app/acp/acp-recording.js";
import { FrameReader } from "../app/acp/record-frames.js";
import { failureOf } from "../app/escaped-error.js";
import type { Host } from "../app/host.js";
import { writeLog } from "../app/log-file.js";
import { isProcessThere, numberHere } from "../app/session/process-life.js";

// The process that records what passes through `milepost acp`, which starts it. It may be slow, run out of memory or
// find no store: the bytes are on their way before it sees them. It ends when its input does, also when `milepost acp`
// was killed, and has recorded all of it then.

const LEAST = 19;

export async function runRecorder(host: Host, kill: Kill): Promise<number> {
  giveWay();
  // Who ends the editor, the agent and us with one signal still wants to know what they did.
  host.interrupted();
  const frames = new FrameReader();
  let recording: AcpRecording | undefined;
  let agent = "";
  let hasEnded = false;
  for await (const chunk of host.input.bytes) {
    for (const frame of frames.read(chunk)) {
      if (frame.type === "start") {
        const data = readStart(host, frame.bytes);
        agent = data.process;
        recording ??= new AcpRecording(data, (line) => void host.output.write(line));
      } else if (frame.type === "end") hasEnded = true;
      else if (frame.type === "gap") recording?.skip(frame.from);
      else recording?.hear(frame.from, frame.bytes);
    }
  }
  const left = hasEnded ? undefined : endAgent(agent, kill);
  try {
    await recording?.close();
  } catch (error) {
    writeLog(host.environment, "acp", failureOf(error).message);
  }
  await left;
  return 0;
}

export type Kill = (number: number, signal: NodeJS.Signals) => void;

/** Milliseconds. Agents end when their input does; who killed `milepost acp` meant those that do not, too. */
const AGENT_PATIENCE = 3000;

async function endAgent(agent: string, kill: Kill): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, AGENT_PATIENCE));
  const number = numberHere(agent);
  // Only where it is surely the same process: its number may have been given again.
  if (number === undefined || isProcessThere(agent) !== true) return;
  try {
    kill(number, "SIGTERM");
  } catch {
    // It has just ended.
  }
}

function readStart({ environment, program }: Host, bytes: Uint8Array): RecordingData {
  const told = JSON.parse(Buffer.from(bytes).toString("utf8")) as Omit<RecordingData, "environment" | "userFolder">;
  return { ...told, environment, userFolder: program.userFolder };
}

/** Nobody waits for the recording, but everybody for the bytes. */
function giveWay(): void {
  try {
    setPriority(LEAST);
  } catch {
    // Then they share what there is.
  }
}
