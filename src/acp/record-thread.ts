import { parentPort, workerData } from "node:worker_threads";
import { AcpRecording, type AcpSender, type RecordingData } from "../app/acp/acp-recording.js";
import { failureOf } from "../app/escaped-error.js";
import { writeLog } from "../app/log-file.js";

// The thread that records what passes between editor and agent. It may be slow, run out of memory or find no store: the
// bytes are on their way before it sees them.

export type ToRecorder =
  | { readonly type: "bytes"; readonly from: AcpSender; readonly bytes: Uint8Array }
  /** Some bytes were not sent. */
  | { readonly type: "gap"; readonly from: AcpSender }
  | { readonly type: "end" };

export type FromRecorder =
  | { readonly type: "taken"; readonly bytes: number }
  | { readonly type: "line"; readonly line: string };

function record(port: NonNullable<typeof parentPort>, data: RecordingData): void {
  const tell = (message: FromRecorder) => port.postMessage(message);
  const recording = new AcpRecording(data, (line) => tell({ type: "line", line }));
  const finish = async () => {
    try {
      await recording.close();
    } catch (error) {
      writeLog(data.environment, "acp", failureOf(error).message);
    }
    port.close();
  };
  port.on("message", (message: ToRecorder) => {
    if (message.type === "end") void finish();
    else if (message.type === "gap") recording.skip(message.from);
    else {
      recording.hear(message.from, message.bytes);
      tell({ type: "taken", bytes: message.bytes.length });
    }
  });
}

if (parentPort) record(parentPort, workerData as RecordingData);
