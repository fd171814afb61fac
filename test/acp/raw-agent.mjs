// An agent that knows no protocol. It writes what FILE holds, in pieces of odd sizes, keeps what it reads in FILE.in, and
// ends when its input does, with the exit code in EXIT. STUBBORN: it goes on whatever happens to its input.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

const [file] = process.argv.slice(2);
const { EXIT = "0", STUBBORN, PIECE = "7919" } = process.env;
writeFileSync(`${file}.pid`, String(process.pid));
writeFileSync(`${file}.in`, "");
process.stdin.on("data", (chunk) => appendFileSync(`${file}.in`, chunk));
process.stdout.on("error", () => {
  writeFileSync(`${file}.end`, "nobody reads");
  process.exit(1);
});

const bytes = readFileSync(file);
const size = Number(PIECE);
const isEnded = new Promise((resolve) => process.stdin.on("end", resolve));
for (let at = 0; at < bytes.length; at += size) {
  const hasRoom = process.stdout.write(bytes.subarray(at, at + size));
  if (!hasRoom) await new Promise((resolve) => process.stdout.once("drain", resolve));
}
if (STUBBORN) setInterval(() => process.stdout.write("{}\n"), 20);
else {
  await isEnded;
  writeFileSync(`${file}.end`, "input ended");
  process.exit(Number(EXIT));
}
