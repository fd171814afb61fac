import type { Cell, Colour } from "../../test/terminal/screen-cells.js";

// A terminal's screen as a web page that needs nothing else: cells on a grid, in a window with a dark theme.

const THEME = { background: "#11151c", foreground: "#d5dae3", frame: "#1b212b", edge: "#2b3340", title: "#8b95a7" };

/** The sixteen colours that a terminal's theme has, in its own order. */
const PALETTE = [
  "#1b212b",
  "#f2727f",
  "#8fd694",
  "#e9c46a",
  "#7fb4f5",
  "#cf9df0",
  "#6fd3d6",
  "#d5dae3",
  "#667085",
  "#ff8f9a",
  "#a9e8ad",
  "#f5d98a",
  "#a3cbff",
  "#dfbcf7",
  "#96e6e8",
  "#ffffff",
] as const;

/** Six shades of each of red, green and blue, as xterm has them. */
const SHADES = [0, 95, 135, 175, 215, 255];
const CUBE = 16;
const GREYS = 232;

function paletteColour(place: number): string {
  if (place < CUBE) return PALETTE[place] ?? THEME.foreground;
  if (place >= GREYS) return rgb([8, 8, 8].map((least) => least + (place - GREYS) * 10));
  const at = place - CUBE;
  return rgb([Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((shade) => SHADES[shade] ?? 0));
}

const rgb = (parts: readonly number[]) => `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
const colourOf = (colour: Colour, own: string) =>
  colour === undefined ? own : typeof colour === "number" ? paletteColour(colour) : colour;

/** Characters that are areas: fonts leave gaps between them. The share of a cell that they fill, from the left. */
const FILLED: Readonly<Record<string, number>> = {
  "█": 8,
  "▉": 7,
  "▊": 6,
  "▋": 5,
  "▌": 4,
  "▍": 3,
  "▎": 2,
  "▏": 1,
};
const SHADED: Readonly<Record<string, number>> = { "░": 25, "▒": 50, "▓": 75 };

function styleOf(cell: Cell): string {
  const [own, behind] = [colourOf(cell.foreground, THEME.foreground), colourOf(cell.background, "transparent")];
  const [front, back] = cell.isInverse ? [behind === "transparent" ? THEME.background : behind, own] : [own, behind];
  const shade = SHADED[cell.text];
  const eighths = FILLED[cell.text];
  const area = `color-mix(in srgb, ${front} ${shade ?? 100}%, ${THEME.background})`;
  const filled = `linear-gradient(90deg, ${front} ${(eighths ?? 0) * 12.5}%, ${back} 0)`;
  const lines = [cell.isUnderlined && "underline", cell.isStruck && "line-through"].filter(Boolean).join(" ");
  return [
    `color:${front}`,
    `background:${shade !== undefined ? area : eighths !== undefined ? filled : back}`,
    cell.isBold ? "font-weight:bold" : "",
    cell.isItalic ? "font-style:italic" : "",
    cell.isDim ? "opacity:.6" : "",
    lines ? `text-decoration:${lines}` : "",
  ]
    .filter(Boolean)
    .join(";");
}

const escaped = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`).replaceAll(/\p{Cc}/gu, " ");

/** A character that any monospace font has, and in the width of a cell. */
const PLAIN = /^[ -~]$/;

/** Pictures are drawn larger than letters by every font that has them. */
const PICTURE_SCALE = 0.8;

function boxOf({ text, width }: Cell, style: string): string {
  const isArea = text in FILLED || text in SHADED;
  const isPicture = width === 2 && /\p{Extended_Pictographic}/u.test(text);
  const scale = isPicture ? PICTURE_SCALE : 1;
  const size = isPicture ? `font-size:${scale}em;line-height:${1.25 / scale};height:${1.25 / scale}em;` : "";
  return `<b style="${size}width:${width / scale}ch;${style}">${isArea ? " " : escaped(text)}</b>`;
}

/** Plain characters of one style together; every other one in a box of its own, whatever font it comes from. */
function rowOf(cells: readonly Cell[]): string {
  let [html, run, style] = ["", "", ""];
  const end = () => {
    if (run !== "") html += `<span style="${style}">${escaped(run)}</span>`;
    run = "";
  };
  for (const cell of cells) {
    if (cell.width === 0) continue;
    const own = styleOf(cell);
    const text = cell.text === "" ? " " : cell.text;
    if (PLAIN.test(text)) {
      if (own !== style) end();
      run += text;
    } else {
      end();
      html += boxOf(cell, own);
    }
    style = own;
  }
  end();
  return `<div>${html}</div>`;
}

const STYLE = `
*{box-sizing:border-box}
body{margin:0;padding:24px;display:inline-block;background:transparent}
main{border-radius:10px;overflow:hidden;background:${THEME.background};border:1px solid ${THEME.edge}}
header{display:flex;align-items:center;gap:8px;padding:9px 14px;background:${THEME.frame};color:${THEME.title};
  font:13px "DejaVu Sans",sans-serif;border-bottom:1px solid ${THEME.edge}}
header i{width:11px;height:11px;border-radius:50%;background:${THEME.edge}}
header span{flex:1;text-align:center;padding-right:57px}
section{padding:12px 14px;font:14px/1.25 "DejaVu Sans Mono","Liberation Mono",Menlo,Consolas,"Noto Sans Mono CJK JP",
  "Noto Color Emoji",monospace;font-variant-ligatures:none}
section div{white-space:pre;height:1.25em}
section span{display:inline-block;height:1.25em;vertical-align:top}
section b{display:inline-block;height:1.25em;vertical-align:top;font-weight:inherit;overflow:hidden}
`;

export function terminalPage(rows: readonly (readonly Cell[])[], title: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<style>${STYLE}</style></head><body><main><header><i></i><i></i><i></i><span>${escaped(title)}</span></header>
<section>${rows.map(rowOf).join("\n")}</section></main></body></html>`;
}
