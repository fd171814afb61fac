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
    // A function without a name is the module itself, which runs when it is loaded.
    const called = result.filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== "" && ranges.some(({ count }) => count > 0)),
    );
    return new Set(called.flatMap(({ url }) => sourcePath(url)));
  } finally {
    session.disconnect();
  }
}

function sourcePath(url: string): readonly string[] {
  const path = url.startsWith("file:") ? fileURLToPath(url) : url;
  return path.startsWith(SOURCE) ? [path.slice(SOURCE.length)] : [];
}
