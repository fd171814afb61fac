import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("../../src/", import.meta.url));

/** The source files of which at least one function was called while the work ran, by their path below src/. */
export async function calledFiles(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await work();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const called = result.filter(({ functions }) => functions.some(isCalled));
    return new Set(called.flatMap(({ url }) => sourcePath(url)));
  } finally {
    session.disconnect();
  }
}

/** The module itself runs when it is loaded: a function of it begins further down. */
function isCalled({
  ranges,
}: {
  readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
}) {
  return ranges.some(({ startOffset, count }) => startOffset > MODULE_HEAD && count > 0);
}

/** The runner wraps a module in a function of a few hundred characters. */
const MODULE_HEAD = 400;

function sourcePath(url: string): readonly string[] {
  const path = url.startsWith("file:") ? fileURLToPath(url) : url;
  return path.startsWith(SOURCE) ? [path.slice(SOURCE.length)] : [];
}
