import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import type { Observation } from "../../src/core/session/observation.js";
import { geminiSession } from "../../src/readers/gemini/gemini-session.js";
import {
  holdsGoldens,
  neverThrows,
  readInChunks,
  type Summary,
  saysTheSameWhenCut,
  transcriptsOf,
} from "./recorded.js";

// Recorded from Gemini CLI 0.61.0 with a scripted model. No session of anybody's.

const GEMINI: Readonly<Record<string, readonly Summary[]>> = {};

describe("sessions of Gemini CLI", () => {
  holdsGoldens("gemini", GEMINI);
});
