import fc from "fast-check";
import { SEED, sized } from "./sizes.js";

fc.configureGlobal({ seed: SEED, numRuns: sized(100, 1000) });
