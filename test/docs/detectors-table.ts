import { ALERT_LEVELS } from "../../src/core/detectors/alert.js";
import type { Detector } from "../../src/core/detectors/detector.js";
import { DETECTORS } from "../../src/core/detectors/detector-table.js";

/** What docs/detectors.md says of every detector: made from the table. */
export function detectorsTable(): string {
  const head = ["detector", "what it finds", ...ALERT_LEVELS, "counts", "what ends it"];
  const rows = DETECTORS.map((detector) => [
    `\`${detector.name}\``,
    detector.summary,
    ...limitsOf(detector),
    detector.unit,
    detector.ends,
  ]);
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function limitsOf({ limits }: Detector): readonly string[] {
  return ALERT_LEVELS.map((level) => String(limits[level] ?? ""));
}
