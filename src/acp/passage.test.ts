import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { Passage } from "./passage.js";

function opened() {
  const [from, to] = [new PassThrough(), new PassThrough()];
  const out: string[] = [];
  to.on("data", (chunk) => out.push(`${chunk}`));
  const heard: string[] = [];
  const passage = new Passage(from, to, (chunk) => heard.push(Buffer.from(chunk).toString()));
  const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
  const write = async (text: string) => {
    from.write(text);
    await settled();
  };
  return { from, passage, write, settled, heard, out: () => out.join("") };
}

test("a line of ours comes between two messages, never into one", async () => {
  const { passage, write, settled, out } = opened();
  passage.say("ours 1\n");
  await settled();
  await write('{"half":');
  passage.say("ours 2\n");
  await settled();
  expect(out()).toBe('ours 1\n{"half":');
  await write("1}\n{");
  expect(out()).toBe('ours 1\n{"half":1}\n{');
  await write("}\n");
  expect(out()).toBe('ours 1\n{"half":1}\n{}\nours 2\n');
});

test("of many lines that wait only the last ones are said, and none after the end", async () => {
  const { from, passage, write, out } = opened();
  await write("{");
  for (let at = 0; at < 150; at += 1) passage.say(`${at}\n`);
  await write("}\n");
  expect(out().split("\n").slice(1, 3)).toEqual(["50", "51"]);
  from.end();
  await passage.ended;
  passage.say("late\n");
  expect(out()).not.toContain("late");
});

test("what passes is heard as it is; silence is the end of a writer that has gone", async () => {
  const { passage, write, heard, out } = opened();
  await write("a");
  await write("b\n");
  await passage.settle(20);
  expect([heard.join(""), out()]).toEqual(["ab\n", "ab\n"]);
});
