export { drawAs as drawList } from "./agent-drawing.js";

/** Ways to draw a list for a person: a tree, and what agents themselves draw. Without the dialects: they load late. */
export const DRAWINGS = ["tree", "oh-my-pi", "gencode", "gencode/node-0.5"] as const;
