import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { firstAbort } from "./first-abort.js";

test("aborts with the first, and for its reason", () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const { signal } = firstAbort(one.signal, two.signal);
  expect(signal.aborted).toBe(false);
  two.abort("two");
  one.abort("one");
  expect(signal.reason).toBe("two");
});

test("is aborted at once by one that is", () => {
  expect(firstAbort(new AbortController().signal, AbortSignal.abort("before")).signal.reason).toBe("before");
});

test("a time limit that nobody else holds comes to its end", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const begun = performance.now();
  // Behind another function, so that no variable here holds it.
  const { signal } = (() => firstAbort(AbortSignal.timeout(30), new AbortController().signal))();
  const collecting = setInterval(collect, 5);
  while (!signal.aborted && performance.now() - begun < 3000) await new Promise((resolve) => setTimeout(resolve, 5));
  clearInterval(collecting);
  expect(signal.aborted).toBe(true);
});
