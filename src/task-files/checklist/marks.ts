import { statusWords } from "../foreign-words.js";

export const MARKDOWN = "markdown";

/** What stands in the box. */
export const MARKS = statusWords(
  [
    [" ", "pending"],
    [">", "in_progress"],
    ["/", "in_progress"],
    ["x", "completed"],
    ["!", "failed"],
    ["-", "cancelled"],
  ],
  { pending: " ", in_progress: ">", completed: "x", failed: "!", cancelled: "-" },
);
