const TITLE_MAX = 120;

/** The first line with words, without its marks. */
export function planTitle(text: string): string {
  const line = text.split("\n").find((one) => one.trim() !== "") ?? "Untitled plan";
  return [...line.replace(/^[#\s]+/, "").trim()].slice(0, TITLE_MAX).join("");
}
