// npm run bench:redact: how long it takes to redact a megabyte of text that was made to cost time.
import { redact } from "../src/core/secrets/redact.js";
import { HOSTILE, hostileText } from "../test/secret-texts.js";
import { type Goal, type Row, report } from "./report.js";

const ROUNDS = 7;

/** Of the processor, and the best of some rounds: what else the machine does is not the text's fault. */
function best(work: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const started = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

const rows = HOSTILE.map((part) => {
  const text = hostileText(part);
  return { text: JSON.stringify(part), milliseconds: Math.round(10 * best(() => redact(text))) / 10 };
});
rows.sort((a, b) => b.milliseconds - a.milliseconds);
const worst = rows[0]?.milliseconds ?? 0;
const shown: readonly Row[] = rows.slice(0, 15);
const goals: readonly Goal[] = [{ name: "milliseconds for a megabyte, the worst text", actual: worst, most: 50 }];

report("redact", shown, goals);
